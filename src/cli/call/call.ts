/** `call`: calls one operation of a running service, with fields from flags or from JSON. */

import { DEFAULT_LIMITS, type Limits, mapLimits } from "../../config/limits.ts";
import { ConfigError } from "../../config/option.ts";
import { findUserFolders, variableOf } from "../../config/environment.ts";
import { readToken, readTokenFile } from "../../config/token.ts";
import { InputError, type ValidationError } from "../../core/errors.ts";
import { tryParseJson } from "../../core/texts.ts";
import { callName, nearestNames, otherNames } from "../../features/call_names.ts";
import { FlatInput, isObject } from "../../features/call/check_fields.ts";
import { allOperations } from "../../features/mod.ts";
import { listAnswers, type Operation } from "../../features/operation.ts";
import { bypassProxy } from "../../platform/environment.ts";
import type { Host } from "../../platform/host.ts";
import { type Choice, type CommandLineResult, NONE_RUNS } from "../command.ts";
import { chooseInstances, describeChoice, describeNone, findInstances } from "../instances.ts";
import { isJsonAnswer, openOutput, openStdout } from "./answer.ts";
import {
  type CallArguments,
  type CallOptions,
  type Field,
  fieldsOf,
  listHelp,
  operationHelp,
  readCallArguments,
  splitCall,
} from "./arguments.ts";

/**
 * Prints the answer. The exit code is 0 when the operation was done, 1 when the service refused, 3
 * when no service runs.
 * @throws ConfigError for wrong use, before anything is sent
 */
export async function runCall(args: readonly string[], host: Host): Promise<CommandLineResult> {
  const { name, rest, before, wantsHelp } = splitCall(args);
  if (name === undefined) {
    if (!wantsHelp) {
      throw new ConfigError('Which operation? "computer-control call --help" lists all');
    }
    return { code: 0, lines: [listHelp(await operationsByName(DEFAULT_LIMITS))] };
  }
  const operations = await operationsByName(wantsHelp ? DEFAULT_LIMITS : widestLimits());
  const operation = findOperation(operations, name);
  if (operation === undefined) {
    const asked = name.slice(0, 100);
    const [similar] = nearestNames(asked.replaceAll("/", "."), [...operations.keys()]);
    const nearest = similar === undefined ? "" : `did you mean "${similar}"? `;
    const all = '"computer-control call --help" lists all';
    throw new ConfigError(`There is no operation "${asked}": ${nearest}${all}`);
  }
  if (wantsHelp) return { code: 0, lines: [operationHelp(name, operation)] };
  const fields = fieldsOf(operation);
  const given = readCallArguments(rest, { name, fields, before });
  const input = await readInput(given, fields);
  check(operation, { name, input, fields });
  return await send(operation, { input, host, options: given.options });
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
  const value = tryParseJson(text);
  if (value === undefined) throw new ConfigError("--json: not valid JSON");
  if (isObject(value)) return value;
  throw new ConfigError('--json: must be an object with the fields, as in \'{"x": 10, "y": 20}\'');
}

interface Checked {
  readonly name: string;
  readonly input: Input;
  readonly fields: readonly Field[];
}

function check(operation: Operation, { name, input, fields }: Checked): void {
  try {
    new FlatInput(operation).read(input, []);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const help = `"computer-control call ${name} --help" lists its fields`;
    throw new ConfigError([...explainValidationErrors(error.errors, fields), help].join("\n"));
  }
}

interface Call {
  readonly input: Input;
  readonly host: Host;
  readonly options: CallOptions;
}

async function send(
  operation: Operation,
  { input, host, options }: Call,
): Promise<CommandLineResult> {
  const isFile = listAnswers(operation.answer).some((answer) => "mediaTypes" in answer);
  if (isFile && options.output === undefined && Deno.stdout.isTerminal()) {
    throw new ConfigError(
      "The answer is a file, which a terminal cannot display: give --output <file>",
    );
  }
  const address = await findService(options, host);
  if ("none" in address) return { code: NONE_RUNS, errors: address.none };
  const isToFile = options.output !== undefined && options.output !== "-";
  using destination = isToFile ? openOutput(options.output, host.os) : openStdout();
  let answer: Response;
  try {
    answer = await fetch(makeRequest(operation, input, address));
  } catch (error) {
    const reason = `Cannot reach a service at ${address.base.origin}: ${(error as Error).message}`;
    return { code: NONE_RUNS, errors: [reason] };
  }
  const errors = await refusalOf(answer, fieldsOf(operation));
  if (errors !== undefined) return { code: 1, errors };
  if (answer.status !== NO_CONTENT) await destination.write(answer);
  return { code: answer.ok ? 0 : 1 };
}

const NO_CONTENT = 204;

// Makes the HTTP request of a call from the checked fields.

export interface ServiceAddress {
  /** Without a slash at its end. */
  readonly base: URL;
  readonly token: string | undefined;
}

export function makeRequest(
  operation: Operation,
  fields: Input,
  { base, token }: ServiceAddress,
): Request {
  const { method, path, body, query, unnamed } = operation;
  const url = new URL(base);
  const start = unnamed ? "" : url.pathname.replace(/\/$/, "");
  url.pathname = start + fillIn(path, fields);
  for (const name of Object.keys(query?.shape ?? {})) {
    if (fields[name] !== undefined) url.searchParams.set(name, asText(fields[name]));
  }
  const headers = new Headers(token === undefined ? {} : { authorization: `Bearer ${token}` });
  if (body === undefined) return new Request(url, { method, headers, redirect: "manual" });
  headers.set("content-type", "application/json");
  const names = Object.keys(body.shape).filter((name) => fields[name] !== undefined);
  const content = JSON.stringify(Object.fromEntries(names.map((name) => [name, fields[name]])));
  return new Request(url, { method, headers, body: content, redirect: "manual" });
}

/** `/api/bash/process/{pid}` -> `/api/bash/process/123` */
function fillIn(path: string, fields: Input): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(asText(fields[name])));
}

function asText(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Why no service is called. */
interface NoService {
  readonly none: readonly string[];
}

/**
 * The service that the options choose: by `--url`, else by the records, as `status` and `stop` do.
 * @throws ConfigError when several run and none was chosen
 */
export async function findService(
  options: Omit<CallOptions, "json" | "output">,
  host: Host,
): Promise<ServiceAddress | NoService> {
  const tokenFile = options.tokenFile ?? (host.env[variableOf("token-file")] || undefined);
  const token = readToken(tokenFile, host.env, readTokenFile);
  const { stateDir } = findUserFolders(host.os, host.env, options.stateDir);
  const base = options.url ?? await findRunning(options, stateDir);
  if ("none" in base) return base;
  bypassProxy(base);
  return { base, token };
}

async function findRunning(options: Choice, stateDir: string): Promise<URL | NoService> {
  const { running, refused } = await findInstances(stateDir);
  const chosen = chooseInstances(running, options);
  const [first] = chosen;
  if (first === undefined) {
    return { none: [...refused, `${describeNone(options, stateDir)}: start it, or give --url`] };
  }
  if (chosen.length > 1) throw new ConfigError(describeChoice(chosen, "--port, --name or --url"));
  if (!await first.isThere()) {
    return { none: [`The service at ${first.address} has ended: start it, or give --url`] };
  }
  const url = new URL(first.address);
  if (first.name !== null) url.pathname = first.name;
  return url;
}

// The operations as the command line sees them: by name, with flat fields that flags can give.

/** The largest limits that a service can have: what exceeds them, no service takes. */
export function widestLimits(): Limits {
  return { ...DEFAULT_LIMITS, ...mapLimits((limit) => limit.read(String(limit.bounds.max))) };
}

/** Name (`mouse.left-click`) -> operation, in the order of the list. */
export async function operationsByName(limits: Limits): Promise<ReadonlyMap<string, Operation>> {
  const operations = await allOperations(limits);
  return new Map(operations.map((operation) => [callName(operation), operation]));
}

/** By its name, its path (`mouse/left-click`) or its OpenAPI id (`leftClick`). */
export function findOperation(
  operations: ReadonlyMap<string, Operation>,
  name: string,
): Operation | undefined {
  return operations.get(name) ??
    [...operations.values()].find((operation) => otherNames(operation).includes(name));
}

// Explains errors of the fields and refusals of the service in lines for a terminal.

/** The parts of a request in which the service looks for fields. */
const PARAMETER_LOCATIONS = ["body", "query", "path"];
const MAX_TEXT = 4_096;

/** `--x: Input should be a valid integer (it takes <integer>)` */
function explainValidationErrors(
  errors: readonly ValidationError[],
  fields: readonly Field[],
): string[] {
  return errors.map(({ loc, msg, type }) => {
    const path = PARAMETER_LOCATIONS.includes(String(loc[0])) ? loc.slice(1) : loc;
    const [name, ...inner] = path;
    if (name === undefined) return msg;
    const field = fields.find((each) => each.name === name);
    if (field === undefined) return `"${path.join(".")}": ${msg}`;
    const flag = [field.flag, ...inner].join(".");
    const takes = ` (it takes ${field.takes})`;
    return type === "missing" ? `${flag} is missing${takes}` : `${flag}: ${msg}${takes}`;
  });
}

/**
 * The errors of an answer that is a refusal, each after its code; `undefined` for one that the
 * operation declares.
 */
async function refusalOf(
  answer: Response,
  fields: readonly Field[],
): Promise<readonly string[] | undefined> {
  if (answer.ok) return undefined;
  const text = await answer.clone().text();
  const refusal = isJsonAnswer(answer) ? tryParseJson(text) : undefined;
  const { detail, code } = isObject(refusal) ? refusal : {};
  const sentences = typeof detail === "string"
    ? [detail]
    : Array.isArray(detail)
    ? explainValidationErrors(detail as ValidationError[], fields)
    : undefined;
  if (sentences !== undefined) {
    return typeof code === "string" ? sentences.map((each) => `${code}: ${each}`) : sentences;
  }
  if (isJsonAnswer(answer)) return undefined;
  return [`The service answered ${answer.status}: ${text.slice(0, MAX_TEXT)}`.trimEnd()];
}
