import { Command } from 'commander';
import { usageError } from '../cli-error';
import { printResponse } from './long-requests';
import { addFilters, filterOptions, filterQuery } from './resources/filter-flags';
import type { OptionValues } from './resources/member-flags';
import { openSession } from './session';
import { describeKind } from '../lookup/resource-finder';

const INVENTORY = '/v1/ansible-inventory';

/** `muster ansible` */
export function ansibleCommand(): Command {
  const filters = filterOptions(describeKind('host'));
  const command = new Command('ansible')
    .option('--list', 'print all groups and hosts with their resolved variables')
    .option('--host <host>', 'print the resolved variables of one host')
    .option('--inactive', 'include inactive hosts')
    .addHelpText('after', HELP);
  return addFilters(command, filters).action(async (options: OptionValues, runningCommand: Command) => {
    const { list, host, inactive } = options;
    if ((list === undefined) === (host === undefined)) throw usageError('Use either --list or --host.');
    const { muster, finder } = openSession(runningCommand);
    const query = {
      ...(await filterQuery(filters, options, finder)),
      ...(inactive === true ? { inactive: true } : {}),
      ...(typeof host === 'string' ? { host } : {}),
    };
    await printResponse(await muster.open('get', INVENTORY, { query }));
  });
}

const HELP = `
muster-ansible runs this command as an inventory script of Ansible:
  ansible-inventory -i "$(command -v muster-ansible)" --graph`;
