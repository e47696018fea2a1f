/** Stored values for the environment of one command, which asks for them by name. */

import { z } from "zod";
import { ValueFault } from "../../errors.ts";
import type { Context } from "../operation.ts";
import { SecretName } from "../secrets/fields.ts";
import { notStored, readSecret } from "../secrets/stored.ts";
import { faultOfName, withoutPrototype } from "./fields.ts";

const MAX_VARIABLES = 100;

/** The field `env_secrets` of `bash/command`. */
export const EnvSecrets = withoutPrototype(
  z.record(
    // other names reach a command by way of arguments, which every user can see
    z.string().max(256).regex(/^[A-Za-z_][A-Za-z0-9_]*$/, {
      error: "The name of a variable with a secret has letters, digits and _ only",
    }).refine((name) => faultOfName(name) === undefined, {
      error: ({ input }) => faultOfName(input as string),
    }),
    SecretName,
  ).refine(
    (secrets) => Object.keys(secrets).length <= MAX_VARIABLES,
    `At most ${MAX_VARIABLES} variables`,
  ),
).describe(
  "Variables whose values come from the keychain: they are in the environment of this command alone.",
);

export type EnvSecrets = z.output<typeof EnvSecrets>;

/** @throws ValueFault on `env_secrets` when a value is not stored or no environment can hold it. */
export async function resolveEnvSecrets(
  context: Pick<Context, "platform" | "config" | "session">,
  secrets: EnvSecrets,
): Promise<Record<string, string>> {
  const variables: [string, string][] = [];
  for (const [name, secret] of Object.entries(secrets)) {
    const value = await readSecret(context, secret);
    if (value === undefined) throw new ValueFault(["env_secrets", name], notStored(secret));
    if (value.includes("\0")) {
      throw new ValueFault(["env_secrets", name], "The stored value has a NUL character");
    }
    // another program may have changed it since the keychain was read
    context.session.knownSecrets.add(secret.service, new Map([[secret.field, value]]));
    variables.push([name, value]);
  }
  return Object.fromEntries(variables);
}
