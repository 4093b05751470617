import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';
import type { RequestContext } from '../core/context/request-context';
import type { ReasonPolicy } from '../auth/project-policies';
import { characterCount } from '../core/text';
import { InventoryError } from '../core/errors';
import { runWithTimeout, VmTimeoutError } from '../core/vm-timeout';

export const MAX_PATTERN_LENGTH = 500;
/**
 * Of a compiled pattern. Nested repetitions multiply: 500 characters compile to up to 160,000 instructions, and
 * matching a long reason then takes seconds.
 */
const MAX_INSTRUCTIONS = 2_000;
/**
 * For compiling a pattern. One of `MAX_INSTRUCTIONS` takes up to 60 ms in a new process; a longer one could take a second.
 */
const COMPILE_TIMEOUT_MS = 300;

/**
 * Why a pattern for reasons is invalid; undefined if it is valid. RE2 takes time proportional to the text and to the
 * compiled pattern. Both are limited, and so is the time for compiling it, so no pattern can block the process.
 */
export function patternError(pattern: string): string | undefined {
  const length = characterCount(pattern);
  if (length < 1 || length > MAX_PATTERN_LENGTH)
    return `must have 1 to ${String(MAX_PATTERN_LENGTH)} characters`;
  if (pattern.includes('\u0000') || !pattern.isWellFormed()) return 'must not contain NUL or lone surrogates';
  try {
    const size = runWithTimeout(COMPILE_TIMEOUT_MS, () => RE2JS.compile(pattern).programSize());
    return size > MAX_INSTRUCTIONS ? 'has too many repetitions' : undefined;
  } catch (error) {
    if (error instanceof VmTimeoutError) return 'has too many repetitions';
    return `is not a regular expression (RE2): ${error instanceof Error ? error.message : String(error)}`;
  }
}

const compiledPatterns = new LRUCache<string, RE2JS>({
  max: 100,
  memoMethod: (pattern) => RE2JS.compile(pattern),
});

const matches = (pattern: string, reason: string): boolean =>
  compiledPatterns.memo(pattern).matcher(reason).find();

/** Why a project does not accept the reason of a change. */
export interface RejectedReason {
  readonly code: 'required' | 'invalid_format';
  /** It contains the expected pattern. */
  readonly message: string;
}

/** Checks a change's reason against the project's policy. @returns undefined if it is accepted */
export function findRejectedReason(
  policy: ReasonPolicy | undefined,
  reason: string | undefined,
): RejectedReason | undefined {
  if (!policy) return undefined;
  const { required, pattern } = policy;
  if (reason === undefined ? !required : pattern === null || matches(pattern, reason)) return undefined;
  const expected = pattern === null ? '' : ` that matches ${pattern}`;
  return reason === undefined
    ? { code: 'required', message: `changes in this project need a reason${expected}` }
    : {
        code: 'invalid_format',
        message: `the reason of a change in this project must be one${expected}`,
      };
}

/** Like `findRejectedReason`. @param field what has the reason @throws InventoryError 400 */
export function assertReason(
  policy: ReasonPolicy | undefined,
  reason: string | undefined,
  field: string = REASON_FIELD,
): void {
  const rejected = findRejectedReason(policy, reason);
  if (rejected) throw InventoryError.invalid(field, rejected.code, rejected.message);
}

/** The `field` of errors about the reason. */
export const REASON_FIELD = 'X-Change-Reason';
/** The same, if a member of a resource is the reason of a later change. */
export const REASON_MEMBER = 'reason';

/** The reason of a change: the header, else the body's note. With an empty header, there is none. */
export function reasonOf({ reason }: RequestContext, note: string | null | undefined): string | undefined {
  if (reason !== undefined) return reason ?? undefined;
  const text = note?.trim();
  return text === '' ? undefined : text;
}
