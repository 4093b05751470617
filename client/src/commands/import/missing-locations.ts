import { shellWord } from '@muster/api-types';
import { asObject } from '../../api/exact-json';
import type { Row } from '../../output/rows';

/** A region or cell that a line names and that does not exist. */
export interface MissingLocation {
  readonly kind: string;
  /** That of a cell. */
  readonly region?: string;
  readonly name: string;
}

/** How many commands a message shows. */
const MAX_SHOWN = 20;

/** Reads what the errors of lines say is missing, each once: regions before their cells. */
export function parseMissing(errors: unknown): readonly MissingLocation[] {
  const all = (Array.isArray(errors) ? errors : []).flatMap((error) => {
    const { missing } = asObject(error);
    return Array.isArray(missing) ? missing.map(asObject).map(locationOf) : [];
  });
  const locations = [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
  return [...locations.filter(isRegion), ...locations.filter((one) => !isRegion(one))];
}

const locationOf = ({ kind, region, name }: Row): MissingLocation => ({
  kind: String(kind),
  ...(typeof region === 'string' ? { region } : {}),
  name: String(name),
});

/** The commands that create what does not exist, as lines of a message. */
export function creationLines(missing: readonly MissingLocation[]): string[] {
  if (missing.length === 0) return [];
  const omitted = missing.length - MAX_SHOWN;
  return [
    '  Create what does not exist, and repeat the command:',
    ...missing.slice(0, MAX_SHOWN).map((one) => `    ${commandOf(one)}`),
    ...(omitted > 0 ? [`    and ${String(omitted)} more`] : []),
  ];
}

const isRegion = ({ region }: MissingLocation): boolean => region === undefined;

const commandOf = ({ kind, region, name }: MissingLocation): string =>
  `muster ${kind} create ${[name, ...(region === undefined ? [] : ['--region', region])].map(shellWord).join(' ')}`;
