import type { Command } from 'commander';
import type { ResourceDescription } from '../../api/resource-description';
import type { Finder, Within } from '../../addressing/finder';

/** Where a resource is looked for. */
export interface PlaceOptions {
  readonly region?: string;
  readonly cell?: string;
}

/** The options that say where one is meant, of a name that several have. */
export function addNarrowing(command: Command, { fields }: ResourceDescription): Command {
  if (fields.includes('region_id')) command.option('--region <region>', 'the one in this region');
  if (fields.includes('cell_id')) command.option('--cell <cell>', 'the one in this cell');
  return command;
}

/** The same, as conditions for where to look. */
export async function narrowed(
  { fields }: ResourceDescription,
  { region, cell }: PlaceOptions,
  finder: Finder,
): Promise<Within> {
  const place: Record<string, string> = {};
  if (region !== undefined && fields.includes('region_id'))
    place['region_id'] = (await finder.find('region', region)).id;
  if (cell !== undefined && fields.includes('cell_id'))
    place['cell_id'] = (await finder.find('cell', cell, place)).id;
  return place;
}
