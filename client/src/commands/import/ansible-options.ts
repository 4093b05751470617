import { Option, type Command } from 'commander';

/** What the command line says of an inventory of Ansible's. */
export interface AnsibleOptions {
  readonly mapping?: string;
  readonly regionGroups?: readonly string[];
  readonly cellGroups?: readonly string[];
  readonly labelGroups?: readonly string[];
  readonly region?: string;
  readonly deviceType?: string;
  readonly strict?: true;
  readonly print?: true;
}

const groups = (flag: string, what: string): Option =>
  new Option(
    `--${flag} <patterns>`,
    `Ansible groups that are ${what}: patterns like dc_*, joined by commas`,
  ).argParser((text: string, before: readonly string[] | undefined) => [
    ...(before ?? []),
    ...text.split(','),
  ]);

/** Adds the options of `--from ansible`. */
export const addAnsibleOptions = (command: Command): Command =>
  command
    .addOption(
      new Option('--from <program>', 'take what "ansible-inventory --list --export" prints').choices([
        'ansible',
      ]),
    )
    .option('--mapping <file>', 'what each group of Ansible becomes: see docs/client.md')
    .addOption(groups('region-groups', 'regions'))
    .addOption(groups('cell-groups', 'cells'))
    .addOption(groups('label-groups', 'labels'))
    .option('--region <name>', 'the region of Ansible hosts that no group puts into one')
    .option('--device-type <type>', 'the device type of Ansible hosts (server, if nothing says it)')
    .option(
      '--strict',
      'refuse where Ansible resolves values otherwise, in place of setting them on the hosts',
    )
    .option('--print', 'print what would be sent, as lines of JSON; send nothing');
