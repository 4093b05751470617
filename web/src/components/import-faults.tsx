import { groupEqualFaults, lineNumbers, type ApiError } from '@muster/api-types';
import { Button } from '@mantine/core';
import { counted } from './counted';
import classes from './import-faults.module.css';
import { missingLocationsWrite, type MissingLocations } from './missing-locations';
import { Notice } from './notice';
import type { ImportLines, PlannedWrite } from './planned-write';

/** The faults in the response to an import that was rejected. */
interface ImportReport extends MissingLocations {
  readonly errors: readonly (MissingLocations['errors'][number] & {
    readonly line: number;
    readonly message: string;
  })[];
  readonly failed: number;
  /** Lines that were not checked, because they refer to faulty ones. */
  readonly unchecked?: number;
}

/** The report of an import that was rejected; undefined for other errors. */
export const importReportOf = (error: unknown): ImportReport | undefined => {
  const body = (error as Partial<ApiError> | null)?.body;
  return isReport(body) ? body : undefined;
};

const isReport = (body: unknown): body is ImportReport =>
  typeof body === 'object' &&
  body !== null &&
  'errors' in body &&
  Array.isArray(body.errors) &&
  body.errors.length > 0 &&
  'failed' in body;

interface Props {
  readonly report: ImportReport;
  /** What the lines of the import are to the user. */
  readonly lines?: ImportLines | undefined;
  /** Creates the regions and cells that do not exist. */
  readonly onCreate: (write: PlannedWrite) => void;
}

/** How many resources with the same fault are named. */
const MAX_TITLES = 5;

/** Which lines have a fault: `Line 2`, `12 lines (2 to 13)`; or what they are to the user. */
function linesTitle(
  { noun, titleOf }: ImportLines,
  [first, ...others]: readonly [number, ...number[]],
): string {
  if (others.length === 0) return titleOf(first);
  const lines = [first, ...others];
  const more = lines.length > MAX_TITLES ? ', …' : '';
  const titles =
    titleOf === LINES_OF_FILE.titleOf
      ? lineNumbers(lines)
      : `${lines.slice(0, MAX_TITLES).map(titleOf).join(', ')}${more}`;
  return `${counted(lines.length, noun)} (${titles})`;
}

/** All faults of an import, each once with its lines, or its resources. If regions or cells do not exist, it offers to create them before. */
export function ImportFaults({ report, lines = LINES_OF_FILE, onCreate }: Props) {
  const { noun } = lines;
  const { errors, failed, unchecked = 0 } = report;
  const locations = missingLocationsWrite(report);
  return (
    <Notice
      kind="error"
      title={`${counted(failed, noun)} cannot be ${noun === LINE ? 'imported' : 'changed'}. Nothing was written.`}
    >
      <ul className={classes.faults} tabIndex={0} aria-label="Faults">
        {groupEqualFaults(errors.map(withoutLine)).map(({ message, faults: [first, ...others] }) => (
          <li key={first.line}>
            <strong>{linesTitle(lines, [first.line, ...others.map(({ line }) => line)])}</strong>: {message}
          </li>
        ))}
      </ul>
      {failed > errors.length && `And ${counted(failed - errors.length, 'more fault')}. `}
      {unchecked > 0 && `${counted(unchecked, noun)} could not be checked before these are correct.`}
      {locations && (
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => {
            onCreate(locations);
          }}
        >
          {locations.title}…
        </Button>
      )}
    </Notice>
  );
}

/** The title has the line. */
const withoutLine = ({ line, message }: ImportReport['errors'][number]) => ({
  line,
  message: message.replace(/^line \d+: /, ''),
});

const LINE = 'line';
const LINES_OF_FILE: ImportLines = { noun: LINE, titleOf: (line) => `Line ${line}` };
