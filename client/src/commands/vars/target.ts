import { Argument, type Command } from 'commander';
import { Finder, kindsOf, wordOf, type Found } from '../../lookup/resource-finder';
import { resources } from '../../api/resources';
import type { ResourceDescription } from '../../api/resource-description';
import { EXIT, Failure, usage } from '../../cli-error';
import type { Session } from '../session';

/** What tells whose variables are meant, besides a kind and a name. */
export interface TargetOptions {
  readonly region?: string;
}

/** What devices resolve variables from, themselves among it: all that carries variables but users. */
export const resolvedFrom = resources.filter(
  ({ carriesVariables, kind }) => carriesVariables && kind !== 'user',
);

type Takes = (resource: ResourceDescription) => boolean;

/** Arguments and options that say whose variables are meant: a kind, a name, perhaps a region. */
export const withTarget = (command: Command, takes: Takes = () => true): Command =>
  command
    .addArgument(kindArgument(kindsThat(takes)))
    .argument('<name>', 'its UUID, its id or its name; of a cell also REGION/CELL')
    .option('--region <region>', 'the region it is in, where several have its name');

/** The kind, also in the plural, as commands are called. */
function kindArgument(kinds: string[]): Argument {
  const plurals = new Map(resources.map(({ kind, collection }) => [collection, kind]));
  // Of choices alone, commander says what is wrong in words of its own.
  return new Argument('<kind>', 'what it is').choices(kinds).argParser((given: string) => {
    const kind = plurals.get(given) ?? (given === 'devices' ? 'device' : given);
    if (kinds.includes(kind)) return kind;
    throw new Failure(
      `${JSON.stringify(given)} is no kind of thing that this is for. The kind stands before the name.`,
      EXIT.usage,
      [`  kinds: ${kinds.join(', ')}`],
    );
  });
}

function kindsThat(takes: Takes): string[] {
  const taken = resources.filter((one) => one.carriesVariables && takes(one));
  return [...taken.map(({ kind }) => kind), ...(taken.some(({ isDevice }) => isDevice) ? ['device'] : [])];
}

/** The one that is meant. @throws Failure if there is none, or several */
export async function findTarget(
  { muster, project }: Session,
  kind: string,
  given: string,
  { region }: TargetOptions,
): Promise<Found> {
  const finder = new Finder(muster, project);
  if (region === undefined) {
    const found = await finder.find(kind, given);
    // Whoever says where it stands is told of it in the same words.
    return given.endsWith(`/${found.name}`) ? { ...found, name: given } : found;
  }
  if (!kindsOf(kind).every(({ filters }) => filters.some(({ name }) => name === 'region_id')))
    throw usage(`--region does not go with a ${wordOf(kind)}.`);
  return finder.find(kind, given, { region_id: (await finder.find('region', region)).id });
}
