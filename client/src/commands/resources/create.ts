import { Command, Option } from 'commander';
import type { ResourceDescription } from '../../api/resource-description';
import { Finder, kindsOf, resourceOf, wordOf } from '../../lookup/resource-finder';
import { EXIT, Failure, usage } from '../../cli-error';
import { asObject } from '../../api/exact-json';
import { say } from '../../output/console';
import { openSession } from '../session';
import { memberOptions, type GivenOptions } from './member-flags';
import { printPreviews } from './print-previews';
import { printResource } from './columns';
import { demandRequired, requestBody } from './request-body';

interface CreateOptions extends GivenOptions {
  readonly dryRun?: true;
  /** Of devices: which kind it is to be of. */
  readonly kind?: string;
}

/** `muster host create web-9 --region north …` */
export function createCommand(resource: ResourceDescription): Command {
  const { kind, nameMember } = resource;
  const members = memberOptions(
    // What has to be said comes first in the help.
    resource.create
      .filter(({ name }) => name !== nameMember)
      .toSorted((a, b) => Number(b.required ?? false) - Number(a.required ?? false)),
    nameMember,
    'create',
  );
  const command = new Command('create')
    .description(`Creates a ${wordOf(kind)}, and shows it.`)
    .argument('<name>', kind === 'cell' ? 'what to call it; or REGION/CELL' : 'what to call it');
  if (kind === 'device')
    command.addOption(
      new Option('--kind <kind>', 'of which kind it is')
        .choices(kindsOf(kind).map((one) => one.kind))
        .makeOptionMandatory(),
    );
  for (const { options } of members) for (const option of options) command.addOption(option);
  return command
    .option('--dry-run', 'show what would be done, and do nothing')
    .action(async (called: string, options: CreateOptions, running: Command) => {
      const session = openSession(running);
      const { muster, project, format } = session;
      const finder = new Finder(muster, project);
      const [name, given] =
        kind === 'cell' && options['region'] === undefined
          ? await inItsRegion(called, options, finder)
          : [called, options];
      const made = given.kind === undefined ? resource : resourceOf(given.kind);
      // A key that is not printed now is lost.
      if (made.kind === 'user' && format === 'name' && !given.dryRun)
        throw usage('-o name would not show the API key, which is shown only once.');
      const body = await requestBody(made, members, given, finder);
      demandRequired(made, body);
      const answer = await muster.request('post', `/v1/${made.collection}`, {
        query: { dry_run: given.dryRun },
        body: { ...(made.nameMember === null ? {} : { [made.nameMember]: name }), ...body },
      });
      if (given.dryRun) return printPreviews(session, [asObject(answer.body)]);
      const created = asObject(answer.body);
      await printResource(session, made, resource, created);
      if ('api_key' in created) say('The API key is shown only now: keep it.');
    });
}

/** Of `north/rack-b`, the cell and its region. Regions may have slashes of their own: the shortest that is there. */
async function inItsRegion(
  called: string,
  options: CreateOptions,
  finder: Finder,
): Promise<[name: string, given: CreateOptions]> {
  const slashes = [...called.matchAll(/(?<=.)\/(?=.)/g)].map(({ index }) => index);
  let missing: Failure | undefined;
  for (const at of slashes)
    try {
      const region = await finder.find('region', called.slice(0, at));
      return [called.slice(at + 1), { ...options, region: region.uuid }];
    } catch (error) {
      if (!(error instanceof Failure) || error.exitCode !== EXIT.notFound) throw error;
      missing ??= error;
    }
  if (missing) throw missing;
  return [called, options];
}
