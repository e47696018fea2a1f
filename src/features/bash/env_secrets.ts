/** Resolves the stored values that a command asks for by name, for its environment. */

import { z } from "zod";
import { ValueFault } from "../../core/errors.ts";
import type { Context } from "../context.ts";
import { SecretName } from "../secrets/fields.ts";
import { notStored, readSecret } from "../secrets/stored.ts";
import { boundedVariables, faultOfName } from "./fields.ts";

const MAX_VARIABLES = 100;

/** The field `env_secrets` of `bash/command`. */
export const EnvSecrets = boundedVariables(
  z.record(
    // a variable with another name could only be passed as an argument, which every user can see
    z.string().max(256).regex(/^[A-Za-z_][A-Za-z0-9_]*$/, {
      error: "The name of a variable with a secret has letters, digits and _ only",
    }).refine((name) => faultOfName(name) === undefined, {
      error: ({ input }) => faultOfName(input as string),
    }),
    SecretName,
  ),
  MAX_VARIABLES,
).describe(
  "Variables whose values come from the keychain; only this command gets them.",
);

export type EnvSecrets = z.output<typeof EnvSecrets>;

/** Variables with stored values, which are redacted until this object is disposed of. */
export interface SecretVariables extends Disposable {
  readonly env: Readonly<Record<string, string>>;
}

/**
 * @throws ValueFault on `env_secrets` when a value is not stored or cannot be held by an
 * environment.
 */
export async function resolveEnvSecrets(
  context: Pick<Context, "platform" | "config" | "session">,
  secrets: EnvSecrets,
): Promise<SecretVariables> {
  const { knownSecrets } = context.session;
  const variables: [string, string][] = [];
  using held = new DisposableStack();
  for (const [name, secret] of Object.entries(secrets)) {
    const value = await readSecret(context, secret);
    if (value === undefined) throw new ValueFault(["env_secrets", name], notStored(secret));
    if (value.includes("\0")) {
      throw new ValueFault(["env_secrets", name], "The stored value has a NUL character");
    }
    const item = new Map([[secret.field, value]]);
    knownSecrets.add(secret.service, item); // another program may have changed it since
    held.use(knownSecrets.index.hold(secret.service, item)); // or may change it during the run
    variables.push([name, value]);
  }
  const kept = held.move();
  return { env: Object.fromEntries(variables), [Symbol.dispose]: () => kept.dispose() };
}
