import { Argument, type Command } from 'commander';
import type { ResourceDescription } from '../../api/resource-description';
import { resources } from '../../api/resources';
import { CliError, EXIT, usageError } from '../../cli-error';
import type { Session } from '../session';
import { describeKinds, displayKind, type FoundResource } from '../../lookup/resource-finder';

/** The options that identify a resource, besides its kind and name. */
export interface TargetOptions {
  readonly region?: string;
}

/** The kinds whose variables devices resolve, including devices themselves. */
export const levelKinds = resources.filter(
  ({ carriesVariables, kind }) => carriesVariables && kind !== 'user',
);

type KindFilter = (resource: ResourceDescription) => boolean;

/** Adds the arguments and the option that identify a resource. @param accepts which kinds the command is for */
export const addTarget = (command: Command, accepts: KindFilter = () => true): Command =>
  command
    .addArgument(kindArgument(selectKinds(accepts)))
    .argument('<name>', 'the UUID, id or name of the resource; for a cell also REGION/CELL')
    .option('--region <region>', 'the region of the resource, if its name is not unique');

/** The kind, in the singular or the plural. */
function kindArgument(kinds: string[]): Argument {
  const plurals = new Map(resources.map(({ kind, collection }) => [collection, kind]));
  // The choices are for completion; the parser prints a better message than commander.
  return new Argument('<kind>', 'the kind of the resource').choices(kinds).argParser((text: string) => {
    const kind = plurals.get(text) ?? (text === 'devices' ? 'device' : text);
    if (kinds.includes(kind)) return kind;
    throw new CliError(
      `Invalid kind ${JSON.stringify(text)}. The kind comes before the name.`,
      EXIT.usageError,
      [`  kinds: ${kinds.join(', ')}`],
    );
  });
}

function selectKinds(accepts: KindFilter): string[] {
  const selected = resources.filter((one) => one.carriesVariables && accepts(one));
  return [
    ...selected.map(({ kind }) => kind),
    ...(selected.some(({ isDevice }) => isDevice) ? ['device'] : []),
  ];
}

/** Finds the resource. @throws CliError if there is none, or several */
export async function findTarget(
  { finder }: Session,
  kind: string,
  identifier: string,
  { region }: TargetOptions,
): Promise<FoundResource> {
  if (region === undefined) {
    const found = await finder.find(kind, identifier);
    // Messages use REGION/CELL if the user does.
    return identifier.endsWith(`/${found.name}`) ? { ...found, name: identifier } : found;
  }
  if (!describeKinds(kind).every(({ filters }) => filters.some(({ name }) => name === 'region_id')))
    throw usageError(`--region cannot be used with a ${displayKind(kind)}.`);
  return finder.find(kind, identifier, { region_id: (await finder.find('region', region)).id });
}
