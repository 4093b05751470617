import { Command } from 'commander';
import type { ResourceDescription } from '../../api/resource-description';
import { Finder, kindsOf, type Found } from '../../lookup/resource-finder';
import { EXIT, Failure } from '../../cli-error';
import { asObject } from '../../api/exact-json';
import type { Row } from '../../output/formats';
import { openSession } from '../session';
import { addNarrowing, narrowed, type PlaceOptions } from './filter-flags';
import { printResource } from './columns';

interface ShowOptions extends PlaceOptions {
  readonly own?: true;
  readonly at?: string;
}

/** `muster host show` */
export function showCommand(resource: ResourceDescription): Command {
  const { kind, carriesVariables } = resource;
  const command = new Command('show')
    .description(`Shows one ${kind.replaceAll('-', ' ')}.`)
    .argument(`<${kind}>`, 'by its UUID, its id or its name')
    .option('--at <time>', 'as it was then, in UTC: 2026-11-20T14:37:06');
  if (carriesVariables) command.option('--own', 'its own variables in place of the resolved ones');
  return addNarrowing(command, resource).action(
    async (given: string, options: ShowOptions, running: Command) => {
      const session = openSession(running);
      const { muster, project } = session;
      const finder = new Finder(muster, project);
      const place = await narrowed(resource, options, finder);
      const read = async (one: ResourceDescription, id: string): Promise<Row> => {
        const { body } = await muster.request('get', `/v1/${one.collection}/{id}`, {
          path: { id },
          query: { at: options.at, 'resolved-values': options.own ? false : undefined },
        });
        return asObject(body);
      };
      const found = await orAsItWas(() => finder.find(kind, given, place), given, resource, options);
      await printResource(session, found.resource, resource, await read(found.resource, found.id));
    },
  );
}

/** What is deleted by now is found by its id, where it is asked for as it was. */
async function orAsItWas(
  find: () => Promise<Found>,
  given: string,
  { kind }: ResourceDescription,
  { at }: ShowOptions,
): Promise<Pick<Found, 'resource' | 'id'>> {
  try {
    return await find();
  } catch (error) {
    const [resource, another] = kindsOf(kind);
    const isGone = error instanceof Failure && error.exitCode === EXIT.notFound;
    if (isGone && at !== undefined && /^\d+$/.test(given) && resource && !another)
      return { resource, id: given };
    throw error;
  }
}
