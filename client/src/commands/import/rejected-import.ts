import type { ApiError } from '@muster/api-types';
import { asObject } from '../../api/exact-json';
import { AdvisedApiError, CliError, exitCodeFor, type ExitCode } from '../../cli-error';
import type { ImportSource, SourcePosition } from '../../files/source';
import type { OutputFormat } from '../../output/formats';
import { pluralize } from '../../text';
import { columnWarnings, parseSimilarKeys } from './csv-warnings';
import { errorLines, MAX_SHOWN, parseSummary, printSummary, type ImportSummary } from './import-report';
import { creationLines, isRegion, withSimilarRegion } from './missing-locations';

/** An import that was rejected because of invalid lines. */
export class LinesRejectedError extends CliError {
  constructor(
    readonly summary: ImportSummary,
    apiError: ApiError,
    exitCode: ExitCode,
    /** How what is wrong can be mended, as lines. */
    hints: readonly string[],
  ) {
    const { failed, csvWarnings } = summary;
    const id = apiError.requestId === undefined ? [] : [`  request id: ${apiError.requestId}`];
    super(`Nothing was written: ${pluralize(failed, 'line')} cannot be imported.`, exitCode, [
      ...errorLines(summary),
      ...id,
      ...(csvWarnings ? columnWarnings(csvWarnings, MAX_SHOWN).map((line) => `  ${line}`) : []),
      ...hints,
    ]);
  }
}

/** An import that was rejected as a whole. */
class RejectedImportError extends AdvisedApiError {
  constructor(error: ApiError) {
    const similarKeys = parseSimilarKeys(asObject(error.body ?? {})['similar_keys']);
    const hasOtherColumns = error.details.some(({ field }) => field === 'columns');
    super(error, [
      ...columnWarnings({ unusualTypes: [], similarKeys }, MAX_SHOWN).map((line) => `  ${line}`),
      ...(hasOtherColumns ? [`  ${RENAME_COLUMNS}`] : []),
      '  Nothing was written.',
    ]);
  }
}

const RENAME_COLUMNS =
  'Rename the columns: name, and variables.KEY for a variable. The import page of the explorer maps columns of any name.';

/** Whether an error is about single lines, and not about the whole import. */
export const hasLineErrors = ({ body, details }: ApiError): boolean =>
  typeof body === 'object' &&
  body !== null &&
  'errors' in body &&
  details.some(({ field }) => field.startsWith('line '));

/**
 * The error of an import, or of its proposal, that the service rejected.
 * @param positionOf the position of a line of the request body
 * @param readNames reads the names of the regions
 */
export async function rejectionOf(
  error: ApiError,
  { isCsv }: Pick<ImportSource, 'isCsv'>,
  positionOf: (line: number) => SourcePosition,
  readNames: () => Promise<readonly string[]>,
): Promise<LinesRejectedError | RejectedImportError> {
  if (!hasLineErrors(error)) return new RejectedImportError(error);
  const summary = await withSimilarRegions(parseSummary(error.body, positionOf), readNames);
  const texts = new Set(summary.errors.flatMap(({ expectedTexts }) => expectedTexts));
  const columns = [...texts].map((key) => `variables.${key}:text`);
  return new LinesRejectedError(summary, error, exitCodeFor(error), [
    ...creationLines(summary.missingLocations),
    ...(isCsv && columns.length > 0 ? [`  For texts, name the column ${columns.join(', ')}.`] : []),
    // An inventory of Ansible is JSON, too.
    ...(error.details.some(({ code, message }) => code === 'invalid_value' && message.startsWith('kind: '))
      ? ['  The inventory of another program needs --from ansible or --from netbox.']
      : []),
  ]);
}

/** Adds to missing regions those that have similar names. @param readNames called if a region is missing */
export async function withSimilarRegions(
  summary: ImportSummary,
  readNames: () => Promise<readonly string[]>,
): Promise<ImportSummary> {
  const { missingLocations } = summary;
  if (!missingLocations.some(isRegion)) return summary;
  const known = await readNames();
  return { ...summary, missingLocations: missingLocations.map((one) => withSimilarRegion(one, known)) };
}

/** Prints the result of an import whose lines were rejected, for programs. Other errors have none. */
export async function printRejected(format: OutputFormat, error: unknown, isDryRun: boolean): Promise<void> {
  if (error instanceof LinesRejectedError && format !== 'table')
    await printSummary(format, error.summary, isDryRun);
}
