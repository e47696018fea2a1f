/** How an answer with output reports stored values that it may contain. */

import { z } from "zod";
import { FieldError } from "../../core/errors.ts";
import type { Context } from "../context.ts";
import { readSecret, SecretName } from "../secrets/stored.ts";
import { boundedVariables, refusalOfName } from "./fields.ts";
import type { ManagedProcess } from "./managed_process.ts";
import { KnownSecrets } from "../secrets/known_secrets.ts";

/** Stands beside `output` in every answer that has one. */
export const RedactionGap = z.string().optional().describe(
  "Present only if stored secrets may be in `output`, because the keychain could not be read; says why.",
);

export function describeRedaction({ redactionGap }: ManagedProcess) {
  return redactionGap === undefined ? {} : { redaction_gap: redactionGap };
}

/** The same for a model, as a line below the output. */
export function gapLines(gap: string | undefined): string[] {
  return gap === undefined ? [] : [`[Stored secrets may be in this output: ${gap}]`];
}

// Resolves the stored values that a command requests by name, for its environment.

const MAX_VARIABLES = 100;

/** The field `env_secrets` of `bash/command`. */
export const EnvSecrets = boundedVariables(
  z.record(
    // a variable with another name could only be passed as an argument, which every user can see
    z.string().max(256).regex(/^[A-Za-z_][A-Za-z0-9_]*$/, {
      error: "The name of a variable with a secret may contain only letters, digits and _",
    }).refine((name) => refusalOfName(name) === undefined, {
      error: ({ input }) => refusalOfName(input as string),
    }),
    SecretName,
  ),
  MAX_VARIABLES,
).describe(
  "Variables whose values come from the keychain; only this command gets them.",
);

export type EnvSecrets = z.output<typeof EnvSecrets>;

/** Variables with stored values, which are redacted until this object is disposed of. */
interface SecretVariables extends Disposable {
  readonly env: Readonly<Record<string, string>>;
}

/**
 * @throws FieldError on `env_secrets` when a value is not stored or cannot be held by an
 * environment.
 */
export async function resolveEnvSecrets(
  context: Pick<Context, "platform" | "config" | "session">,
  secrets: EnvSecrets,
): Promise<SecretVariables> {
  const knownSecrets = context.session.use(KnownSecrets);
  const variables: [string, string][] = [];
  using held = new DisposableStack();
  for (const [name, secret] of Object.entries(secrets)) {
    const value = await readSecret(context, secret, ["env_secrets", name]);
    if (value.includes("\0")) {
      throw new FieldError(["env_secrets", name], "The stored value has a NUL character");
    }
    const item = new Map([[secret.field, value]]);
    knownSecrets.add(secret.service, item); // another program may have changed it since
    held.use(knownSecrets.index.hold(secret.service, item)); // or may change it during the run
    variables.push([name, value]);
  }
  const kept = held.move();
  return { env: Object.fromEntries(variables), [Symbol.dispose]: () => kept.dispose() };
}
