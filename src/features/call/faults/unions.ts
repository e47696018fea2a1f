/**
 * Selects the branch of a union for error messages when no branch matches, by the JSON type or the
 * discriminating field.
 */

import { z } from "zod";
import { type Issue, runSchema } from "./run_schema.ts";
import { literalWords, MISSING, oneFieldWords, type Words } from "./words.ts";

export type UnionIssue = Issue & {
  readonly code: "invalid_union";
  readonly discriminator?: string | undefined;
  readonly options?: readonly unknown[] | undefined;
};

/** The issues of the selected branch. */
export function selectBranch(issue: UnionIssue): readonly Issue[] {
  const branches = (issue.inst as z.ZodUnion).options
    .map((option) => runSchema(option, issue.input).issues as Issue[]);
  const { input } = issue;
  return branches.reduce((best, next) => misfit(next, input) < misfit(best, input) ? next : best);
}

/** Describes what is wrong with the field that distinguishes the branches. */
export function faultOfDiscriminator({ input, options }: UnionIssue, field: string): Words {
  const value = (input as Record<string, unknown>)[field];
  return value === undefined ? MISSING : literalWords(options ?? []);
}

/**
 * Describes an object that has none of the fields of which a union wants one, or several; `undefined`
 * for every other union and value.
 */
export function faultOfChoice({ inst, input }: UnionIssue): Words | undefined {
  const choice = choiceOf(inst as z.ZodUnion);
  if (choice === undefined || typeof input !== "object" || input === null) return undefined;
  if (Array.isArray(input) || countGiven(choice, input) === 1) return undefined;
  return oneFieldWords(choice);
}

/**
 * The fields of which a union wants exactly one: where it has several objects, each with one
 * required field of its own.
 */
export function choiceOf({ options }: z.ZodUnion): readonly string[] | undefined {
  const required = options.filter((option) => option instanceof z.ZodObject).map(requiredFields);
  if (required.some((fields) => fields.length !== 1)) return undefined;
  const names = new Set(required.flat());
  return names.size < 2 || names.size !== required.length ? undefined : [...names];
}

/** How many of these fields an object has. */
export function countGiven(names: readonly string[], value: object): number {
  return names.filter((name) => Object.hasOwn(value, name)).length;
}

function requiredFields({ shape }: z.ZodObject): readonly string[] {
  return Object.keys(shape).filter((name) => runSchema(shape[name]!, undefined).issues.length > 0);
}

/**
 * How unlikely it is that this branch was intended: a wrong type of the whole value weighs most,
 * then a field of it that is missing, then a wrong literal, then the number of issues.
 */
function misfit(issues: readonly Issue[], input: unknown): number {
  return issues.reduce((sum, issue) => sum + weight(issue, input), 0);
}

function weight(issue: Issue, input: unknown): number {
  const path = issue.path ?? [];
  const isNoWord = issue.code === "invalid_value" && typeof input === "object";
  if (path.length === 0 && (issue.code === "invalid_type" || isNoWord)) return 1e9;
  const isMissing = path.length === 1 && !hasField(input, path[0]!);
  if (isMissing && /^invalid_(?:type|union)$/.test(issue.code)) return 1e7;
  return issue.code === "invalid_value" ? 1e5 : 1;
}

function hasField(input: unknown, name: PropertyKey): boolean {
  return typeof input === "object" && input !== null && Object.hasOwn(input, name);
}
