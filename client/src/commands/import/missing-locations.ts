import { shellWord } from '@muster/api-types';
import { asObject } from '../../api/exact-json';
import { readOptional } from '../../api/optional-read';
import type { Session } from '../session';
import type { Row } from '../../output/rows';
import { findClosest } from '../../text';

/** A region or cell that a line names and that does not exist. */
export interface MissingLocation {
  readonly kind: string;
  /** That of a cell. */
  readonly region?: string;
  readonly name: string;
  /** The region that exists and has a similar name. */
  readonly similar_to?: string;
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

/** The names of the first page of regions; none if they cannot be read: the result of the import matters more. */
export async function readRegionNames({
  muster,
  project,
}: Pick<Session, 'muster' | 'project'>): Promise<string[]> {
  const query = { project_id: project, fields: ['name'] };
  const page = await readOptional(muster, (reader) => reader.firstPage('/v1/regions', { query }));
  return (page?.items ?? []).map((item) => String(asObject(item)['name']));
}

/** Adds to a missing region the one that has a similar name. */
export function withSimilarRegion(location: MissingLocation, known: readonly string[]): MissingLocation {
  const similar = isRegion(location) ? findClosest(location.name, known) : undefined;
  return similar === undefined ? location : { ...location, similar_to: similar };
}

/** The commands that create what does not exist, as lines of a message. */
export function creationLines(missing: readonly MissingLocation[]): string[] {
  if (missing.length === 0) return [];
  const omitted = missing.length - MAX_SHOWN;
  const shown = missing.slice(0, MAX_SHOWN);
  return [
    ...shown.flatMap(({ name, similar_to: similar }) =>
      similar === undefined
        ? []
        : [`  There is no region ${JSON.stringify(name)}. Did you mean ${JSON.stringify(similar)}?`],
    ),
    '  Create what does not exist, and repeat the command:',
    ...shown.map((one) => `    ${commandOf(one)}`),
    ...(omitted > 0 ? [`    and ${String(omitted)} more`] : []),
  ];
}

export const isRegion = ({ region }: MissingLocation): boolean => region === undefined;

const commandOf = ({ kind, region, name }: MissingLocation): string =>
  `muster ${kind} create ${[name, ...(region === undefined ? [] : ['--region', region])].map(shellWord).join(' ')}`;
