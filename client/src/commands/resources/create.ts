import { Command, Option } from 'commander';
import { asObject } from '../../api/exact-json';
import type { ResourceDescription } from '../../api/resource-description';
import { CliError, EXIT, usageError } from '../../cli-error';
import { printResource } from './columns';
import { memberOptions, type OptionValues } from './member-flags';
import { printPreviews } from './print-previews';
import { assertRequiredMembers, buildRequestBody } from './request-body';
import { openSession } from '../session';
import { describeKind, describeKinds, displayKind, type ResourceFinder } from '../../lookup/resource-finder';
import { printStatus } from '../../output/console';

interface CreateOptions extends OptionValues {
  readonly dryRun?: true;
  /** The kind of the new device. */
  readonly kind?: string;
}

/** `muster host create web-9 --region north …` */
export function createCommand(resource: ResourceDescription): Command {
  const { kind, nameMember } = resource;
  const members = memberOptions(
    // Required members come first in the help.
    resource.create
      .filter(({ name }) => name !== nameMember)
      .toSorted((a, b) => Number(b.required ?? false) - Number(a.required ?? false)),
    nameMember,
    'create',
  );
  const command = new Command('create')
    .description(`Creates a ${displayKind(kind)} and shows it.`)
    .argument('<name>', kind === 'cell' ? 'the name, or REGION/CELL' : 'the name');
  if (kind === 'device')
    command.addOption(
      new Option('--kind <kind>', 'the kind of the device')
        .choices(describeKinds(kind).map((one) => one.kind))
        .makeOptionMandatory(),
    );
  for (const { options } of members) for (const option of options) command.addOption(option);
  return command
    .option('--dry-run', 'show what would change, without writing')
    .action(async (nameOrPath: string, options: CreateOptions, runningCommand: Command) => {
      const session = openSession(runningCommand);
      const { muster, finder, format } = session;
      const [name, values] =
        kind === 'cell' && options['region'] === undefined
          ? await splitCellPath(nameOrPath, options, finder)
          : [nameOrPath, options];
      const createdKind = values.kind === undefined ? resource : describeKind(values.kind);
      // The API key is shown only once.
      if (createdKind.kind === 'user' && format === 'name' && !values.dryRun)
        throw usageError('-o name does not print the API key, which is shown only once.');
      const body = await buildRequestBody(createdKind, members, values, finder);
      assertRequiredMembers(createdKind, body);
      const response = await muster.request('post', `/v1/${createdKind.collection}`, {
        query: { dry_run: values.dryRun },
        body: { ...(createdKind.nameMember === null ? {} : { [createdKind.nameMember]: name }), ...body },
      });
      if (values.dryRun) return printPreviews(session, [asObject(response.body)]);
      const created = asObject(response.body);
      await printResource(session, createdKind, resource, created);
      if ('api_key' in created) printStatus('Save the API key: it is shown only once.');
    });
}

/** Splits `north/rack-b` into cell and region. Names may contain slashes, so the shortest existing region is used. */
async function splitCellPath(
  nameOrPath: string,
  options: CreateOptions,
  finder: ResourceFinder,
): Promise<[name: string, values: CreateOptions]> {
  const slashes = [...nameOrPath.matchAll(/(?<=.)\/(?=.)/g)].map(({ index }) => index);
  let notFound: CliError | undefined;
  for (const at of slashes)
    try {
      const region = await finder.find('region', nameOrPath.slice(0, at));
      return [nameOrPath.slice(at + 1), { ...options, region: region.uuid }];
    } catch (error) {
      if (!(error instanceof CliError) || error.exitCode !== EXIT.notFound) throw error;
      notFound ??= error;
    }
  if (notFound) throw notFound;
  return [nameOrPath, options];
}
