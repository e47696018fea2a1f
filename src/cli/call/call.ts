/** `call`: calls one operation of a running service, with fields from flags or from JSON. */

import { ConfigError } from "../../config/config_error.ts";
import { DEFAULT_LIMITS } from "../../config/limits.ts";
import { readPlaces } from "../../config/places.ts";
import { readTokenFile } from "../../config/read_token_file.ts";
import { readToken } from "../../config/token.ts";
import { type Fault, InputError } from "../../core/errors.ts";
import { FlatInput } from "../../features/call/flat_input.ts";
import type { Operation } from "../../features/operation.ts";
import { listAnswers } from "../../features/outcomes.ts";
import { changeEnvironment } from "../../platform/environment.ts";
import type { Host } from "../../platform/host.ts";
import { NONE_RUNS, type Outcome } from "../outcome.ts";
import { suggest } from "../suggest.ts";
import { openOutput, openStdout } from "./answer.ts";
import { type CallArguments, type CallOptions, readCallArguments, splitCall } from "./arguments.ts";
import { type Field, fieldsOf } from "./fields.ts";
import { explainFaults, refusalOf } from "./faults.ts";
import { listHelp, operationHelp } from "./help.ts";
import { findOperation, operationsByName, widestLimits } from "./operations.ts";
import { makeRequest } from "./request.ts";
import { findTarget } from "./target.ts";

/**
 * Prints the answer. The exit code is 0 when the operation was done, 1 when the service refused, 3
 * when no service runs.
 * @throws ConfigError for wrong use, before anything is sent
 */
export async function runCall(args: readonly string[], host: Host): Promise<Outcome> {
  const { name, rest, wantsHelp } = splitCall(args);
  if (name === undefined) return listOperations(wantsHelp);
  const operations = operationsByName(wantsHelp ? DEFAULT_LIMITS : widestLimits());
  const operation = findOperation(operations, name);
  if (operation === undefined) {
    const nearest = suggest(name, [...operations.keys()]);
    throw new ConfigError(
      `There is no operation "${
        name.slice(0, 100)
      }": ${nearest}"computer-control call --help" lists all`,
    );
  }
  if (wantsHelp) return { code: 0, lines: [operationHelp(name, operation)] };
  const fields = fieldsOf(operation);
  const given = readCallArguments(rest, { name, fields });
  const input = await readInput(given, fields);
  check(operation, { name, input, fields });
  return await send(operation, { input, host, options: given.options });
}

function listOperations(wantsHelp: boolean): Outcome {
  const help = listHelp(operationsByName(DEFAULT_LIMITS));
  if (wantsHelp) return { code: 0, lines: [help] };
  throw new ConfigError('Which operation? "computer-control call --help" lists all');
}

type Input = Readonly<Record<string, unknown>>;

/** The fields of `--json` and, on top of these, those of the flags. */
async function readInput(
  { options, fields: texts }: CallArguments,
  fields: readonly Field[],
): Promise<Input> {
  const whole = options.json === undefined ? {} : parseObject(
    options.json === "-" ? await readStdin() : options.json,
  );
  const own = fields.flatMap((field) => {
    const given = texts.get(field.name);
    return given === undefined ? [] : [[field.name, field.read(given)]];
  });
  return { ...whole, ...Object.fromEntries(own) };
}

async function readStdin(): Promise<string> {
  const bytes = await new Response(Deno.stdin.readable).bytes();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ConfigError("--json -: standard input is not UTF-8", { cause });
  }
}

function parseObject(text: string): Input {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ConfigError("--json: this is no JSON");
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Input;
  throw new ConfigError('--json: must be an object with the fields, as in \'{"x": 10, "y": 20}\'');
}

interface Checked {
  readonly name: string;
  readonly input: Input;
  readonly fields: readonly Field[];
}

function check(operation: Operation, { name, input, fields }: Checked): void {
  let faults: readonly Fault[];
  try {
    new FlatInput(operation).read(input, []);
    return;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    faults = error.faults;
  }
  const help = `"computer-control call ${name} --help" lists its fields`;
  throw new ConfigError([...explainFaults(faults, fields), help].join("\n"));
}

interface Call {
  readonly input: Input;
  readonly host: Host;
  readonly options: CallOptions;
}

async function send(operation: Operation, { input, host, options }: Call): Promise<Outcome> {
  const isFile = listAnswers(operation.answer).some((answer) => "mediaTypes" in answer);
  if (isFile && options.output === undefined && Deno.stdout.isTerminal()) {
    throw new ConfigError("The answer is a file, and a terminal shows none: give --output <file>");
  }
  const token = readToken(options.tokenFile, host.env, readTokenFile);
  const { stateDir } = readPlaces(host.os, host.env, options.stateDir);
  const target = await findTarget(options, stateDir);
  if ("none" in target) return { code: NONE_RUNS, errors: target.none };
  if (isLocal(target.url)) changeEnvironment(WITHOUT_PROXY);
  const isToFile = options.output !== undefined && options.output !== "-";
  using destination = isToFile ? openOutput(options.output) : openStdout();
  let answer: Response;
  try {
    answer = await fetch(makeRequest(operation, input, { base: target.url, token }));
  } catch (error) {
    const reason = `Cannot reach a service at ${target.url.origin}: ${(error as Error).message}`;
    return { code: NONE_RUNS, errors: [reason] };
  }
  const errors = await refusalOf(answer, fieldsOf(operation));
  if (errors !== undefined) return { code: 1, errors };
  if (answer.status !== NO_CONTENT) await destination.write(answer);
  return { code: answer.ok ? 0 : 1 };
}

const NO_CONTENT = 204;

const PROXIES = ["http_proxy", "https_proxy", "all_proxy"];
/** A proxy does not reach services of this computer. */
const WITHOUT_PROXY = new Map(
  PROXIES.flatMap((name) => [name, name.toUpperCase()]).map((name) => [name, undefined]),
);

function isLocal({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.");
}
