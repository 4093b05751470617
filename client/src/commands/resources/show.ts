import { Command } from 'commander';
import { asObject } from '../../api/exact-json';
import type { ResourceDescription } from '../../api/resource-description';
import { CliError, EXIT } from '../../cli-error';
import { printResource } from './columns';
import { addScopeOptions, lookupScope, type ScopeOptions } from './filter-flags';
import { openSession } from '../session';
import { describeKinds, displayKind, type FoundResource } from '../../lookup/resource-finder';
import type { Row } from '../../output/rows';
import { parseTimeOption, TIME_HELP } from '../shared-options';

interface ShowOptions extends ScopeOptions {
  readonly own?: true;
  readonly at?: string;
}

/** `muster host show` */
export function showCommand(resource: ResourceDescription): Command {
  const { kind, carriesVariables } = resource;
  const command = new Command('show')
    .description(`Shows a ${displayKind(kind)}.`)
    .argument(`<${kind}>`, 'a UUID, id or name')
    .option('--at <time>', `the state at this time: ${TIME_HELP}`, parseTimeOption);
  if (carriesVariables) command.option('--own', 'show its own variables instead of the resolved ones');
  return addScopeOptions(command, resource).action(
    async (identifier: string, options: ShowOptions, running: Command) => {
      const session = openSession(running);
      const { muster, finder } = session;
      const scope = await lookupScope(resource, options, finder);
      const read = async (one: ResourceDescription, id: string): Promise<Row> => {
        const { body } = await muster.request('get', `/v1/${one.collection}/{id}`, {
          path: { id },
          query: { at: options.at, 'resolved-values': options.own ? false : undefined },
        });
        return asObject(body);
      };
      const found = await findOrUseId(
        () => finder.find(kind, identifier, scope),
        identifier,
        resource,
        options,
      );
      await printResource(session, found.resource, resource, await read(found.resource, found.id));
    },
  );
}

/** Finds a resource. With `--at`, a deleted resource is found by its id. */
async function findOrUseId(
  find: () => Promise<FoundResource>,
  identifier: string,
  { kind }: ResourceDescription,
  { at }: ShowOptions,
): Promise<Pick<FoundResource, 'resource' | 'id'>> {
  try {
    return await find();
  } catch (error) {
    const [resource, second] = describeKinds(kind);
    const isNotFound = error instanceof CliError && error.exitCode === EXIT.notFound;
    if (isNotFound && at !== undefined && /^\d+$/.test(identifier) && resource && !second)
      return { resource, id: identifier };
    throw error;
  }
}
