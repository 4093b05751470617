import { counted } from './counted';
import { planImport } from './import-write';
import type { PlannedWrite } from './planned-write';

/** A region or cell that does not exist, as the line of an import that creates it. */
interface MissingLocation {
  readonly kind: string;
  /** That of a cell. */
  readonly region?: string;
  readonly name: string;
}

/** The lines of an import that name regions or cells that do not exist. */
export interface MissingLocations {
  readonly errors: readonly { readonly missing?: readonly MissingLocation[] }[];
}

/** The import that creates the regions and cells that do not exist; undefined if no line names any. */
export function missingLocationsWrite({ errors }: MissingLocations): PlannedWrite | undefined {
  const lines = new Map(
    errors.flatMap(({ missing = [] }) => missing.map((one) => [JSON.stringify(one), one] as const)),
  );
  if (lines.size === 0) return undefined;
  const ofKind = (kind: string): readonly string[] =>
    [...lines.values()].filter((one) => one.kind === kind).map(nameOf);
  const parts = [...titleOf('region', ofKind('region')), ...titleOf('cell', ofKind('cell'))];
  return planImport(`Create ${parts.join(' and ')}`, [...lines.values()], nameOf);
}

const nameOf = ({ region, name }: MissingLocation): string =>
  region === undefined ? name : `${region} / ${name}`;

/** `cell north / rack-1`, `12 cells` */
function titleOf(kind: string, [first, ...others]: readonly string[]): readonly string[] {
  if (first === undefined) return [];
  return [others.length === 0 ? `${kind} ${first}` : counted(others.length + 1, kind)];
}
