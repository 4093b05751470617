import type { DetailCode } from '../../core/error-details';
import { detailCodeOf, type ErrorCode, InventoryError } from '../../core/errors';
import { type MissingLocation, missingOf } from './line-faults';

/** The error of a line that was not imported. */
export interface LineError {
  readonly line: number;
  readonly code: ErrorCode;
  readonly message: string;
  /** The regions and cells that the line names and that do not exist: those of each `MissingReferenceError` among its faults. */
  readonly missing?: readonly MissingLocation[];
  /** The variables that must be texts by their definitions, but are not in this line. Only in `errors` of a summary. */
  readonly expected_texts?: readonly string[];
}

/** A line error with the code of its detail in the error of the whole import. */
export interface RejectedLine extends LineError {
  readonly reason: DetailCode;
}

/** In characters. Longer messages of lines are cut. */
const MAX_MESSAGE_LENGTH = 2_000;

/** The error of a line as a summary, and the error of the whole import, report it. */
export function rejectedLine(line: number, error: InventoryError): RejectedLine {
  const { code } = error;
  const missing = missingOf(error);
  return {
    line,
    code,
    reason: detailCodeOf(error),
    message: shownMessage(error),
    ...(missing.length > 0 ? { missing } : {}),
    ...expectedTexts(error),
  };
}

/** A line error without the code of its detail. */
export const withoutReason = ({ line, code, message, missing, expected_texts }: RejectedLine): LineError => ({
  line,
  code,
  message,
  ...(missing ? { missing } : {}),
  ...(expected_texts ? { expected_texts } : {}),
});

/** An error as a part of the result of its line. */
export const errorText = (error: InventoryError): string =>
  JSON.stringify({ code: error.code, message: shownMessage(error) });

/** The message of a line's error, cut to its maximum length. */
export const shownMessage = ({ message }: InventoryError): string => message.slice(0, MAX_MESSAGE_LENGTH);

/** An error with what the report shows of it: one with many details can be long. */
export const shownError = (error: InventoryError): InventoryError =>
  new InventoryError(error.code, shownMessage(error), error.details.slice(0, 1));

/** A table can say that a column has texts, so the error names the variables. */
function expectedTexts({ details }: InventoryError): Pick<LineError, 'expected_texts'> {
  const keys = details.flatMap(({ field, expected_types = [] }) => {
    const [, key] = VARIABLE_FIELD.exec(field) ?? [];
    return key !== undefined && expected_types.includes('string') ? [key] : [];
  });
  return keys.length === 0 ? {} : { expected_texts: keys };
}

/** The `field` of an error about a whole variable. No key contains a slash, with which the path of a part begins. */
const VARIABLE_FIELD = /^variables\.([^/]+)$/;
