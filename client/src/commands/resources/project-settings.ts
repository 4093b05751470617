import { Command, Option } from 'commander';
import { asObject, exactJson, toNumber } from '../../api/exact-json';
import { usageError } from '../../cli-error';
import { printWritten, writeOf } from '../report-write';
import { addProposalOptions, proposeInstead } from '../propose';
import { openSession, type Session } from '../session';
import { isUuid } from '../../lookup/resource-finder';
import { printOne } from '../../output/formats';
import type { Row } from '../../output/rows';

const PATH = '/v1/projects/{id}/settings';
const PROJECT = 'a UUID; for root also a name (default: the configured project)';

/** `muster project settings` */
export function projectSettingsCommand(): Command {
  return new Command('settings')
    .description('Settings of a project: show, set.')
    .addCommand(showSettings())
    .addCommand(setSettings());
}

const showSettings = (): Command =>
  new Command('show')
    .description('Shows the settings of a project, or the defaults if none were set.')
    .argument('[project]', PROJECT)
    .action(async (identifier: string | undefined, _, command: Command) => {
      const session = openSession(command);
      await printSettings(session, await readSettings(session, await findProject(session, identifier)));
    });

interface SetOptions {
  readonly requireReason?: boolean;
  /** False: no pattern. */
  readonly reasonPattern?: string | false;
  /** False: no private keys. */
  readonly private?: readonly string[] | false;
  readonly uniqueAddresses?: boolean;
  readonly restrictReaders?: boolean;
  /** The rules as JSON. False: no rule. */
  readonly approvals?: string | false;
}

const setSettings = (): Command =>
  addProposalOptions(new Command('set'))
    .description('Changes settings of a project and shows all of them. Other settings stay as they are.')
    .argument('[project]', PROJECT)
    .option('--require-reason', 'every change needs a reason')
    .option('--no-require-reason', 'a change needs no reason')
    .option('--reason-pattern <pattern>', 'a regular expression (RE2) that a part of every reason must match')
    .option('--no-reason-pattern', 'any reason is accepted')
    .addOption(
      new Option(
        '--private <key>',
        'a private variable: a key, or a prefix followed by *; may be repeated and replaces the whole list',
      ).argParser(collect),
    )
    .option('--no-private', 'no variable is private')
    .option('--unique-addresses', 'a device cannot get the address of another device')
    .option('--no-unique-addresses', 'devices may have the same address')
    .option(
      '--restrict-readers',
      'users without roles see no other users and no change records, and create no API keys',
    )
    .option('--no-restrict-readers', 'users without roles see users and change records')
    .option(
      '--approvals <rules>',
      'which writes need approval: a JSON list such as \'[{"keys": ["ntp_*"], "approvals": 1}]\'; replaces the whole list',
    )
    .option('--no-approvals', 'no write needs approval')
    .action(async (identifier: string | undefined, options: SetOptions, command: Command) => {
      const session = openSession(command);
      const id = await findProject(session, identifier);
      const before = await readSettings(session, id);
      const changes = settingsBody(before, options);
      if (Object.keys(changes).length === 0)
        throw usageError('Nothing to set: see --help for the options of the settings.');
      const write = { path: { id }, body: changes };
      if (await proposeInstead(session, [{ method: 'put', path: PATH, options: write }])) return;
      const response = await session.muster.request('put', PATH, {
        ...write,
        ifMatch: toNumber(before['version']),
      });
      await printSettings(session, asObject(response.body));
      await printWritten(session, 'Changed the settings of the project', [writeOf(response)], true);
    });

/** Collects the values of a repeated option. `--no-private` before it sets false. */
const collect = (value: string, before: readonly string[] | false | undefined): string[] => [
  ...(before === false || before === undefined ? [] : before),
  value,
];

/** The id of a project: the given one, else the configured one, else the project of the API key. */
async function findProject({ muster, finder, project }: Session, identifier = project): Promise<string> {
  if (identifier === undefined)
    return String(asObject((await muster.request('get', '/v1/whoami')).body)['project_id']);
  // Only root can look projects up.
  return isUuid(identifier) ? identifier : (await finder.find('project', identifier)).id;
}

async function readSettings({ muster }: Session, id: string): Promise<Row> {
  return asObject((await muster.request('get', PATH, { path: { id } })).body);
}

/** The members to write. The API replaces the requirements of reasons as a whole. */
function settingsBody(before: Row, options: SetOptions): Row {
  const {
    requireReason,
    reasonPattern,
    private: keys,
    uniqueAddresses,
    restrictReaders,
    approvals,
  } = options;
  const old = asObject(before['change_reason'] ?? {});
  const required = requireReason ?? old['required'] === true;
  const pattern = reasonPattern === undefined ? (old['pattern'] ?? null) : reasonPattern || null;
  return {
    ...(requireReason === undefined && reasonPattern === undefined
      ? {}
      : { change_reason: required || pattern !== null ? { required, pattern } : null }),
    ...(keys === undefined ? {} : { private: keys || [] }),
    ...(uniqueAddresses === undefined ? {} : { unique_addresses: uniqueAddresses }),
    ...(restrictReaders === undefined ? {} : { restricts_readers: restrictReaders }),
    ...(approvals === undefined ? {} : { approvals: approvals === false ? [] : parseRules(approvals) }),
  };
}

/** @throws CliError if it is not JSON; the service checks the rules */
function parseRules(text: string): unknown {
  try {
    return exactJson.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw usageError(`Invalid --approvals: ${error.message}.`);
  }
}

const printSettings = ({ format }: Session, settings: Row): Promise<void> =>
  printOne(format, settings, 'project_id');
