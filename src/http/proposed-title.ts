import type { Request } from 'express';
import { fault, type Fault } from '../core/error-details';
import { InventoryError } from '../core/errors';
import { singleValue } from '../core/parameters';
import { characterCount, oneLineError } from '../core/text';
import { isWrite } from './dry-run';

/** The maximum length of the title of a proposal. */
const MAX_TITLE_LENGTH = 255;

/**
 * Parses the parameter that proposes a write instead of doing it.
 * @returns the title of the proposal; undefined without it
 * @throws InventoryError 400 for an invalid title
 */
export function readProposedTitle(request: Request): string | undefined {
  if (!isWrite(request)) return undefined;
  const title = singleValue(request.query, 'propose');
  if (title === undefined) return undefined;
  const error = titleError(title);
  if (error) throw InventoryError.faulty('propose', error);
  return title;
}

/** Why a text is no title of a proposal; undefined if it is one. */
export function titleError(title: unknown): Fault | undefined {
  if (typeof title !== 'string') return fault('invalid_type', 'must be a string');
  const length = characterCount(title);
  if (length < 1 || length > MAX_TITLE_LENGTH)
    return fault(
      length < 1 ? 'too_short' : 'too_long',
      `must have 1 to ${String(MAX_TITLE_LENGTH)} characters`,
    );
  const error = oneLineError(title);
  return error === undefined ? undefined : fault('invalid_format', error);
}
