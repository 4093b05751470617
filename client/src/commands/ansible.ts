import { Command } from 'commander';
import { Finder, resourceOf } from '../lookup/resource-finder';
import { usage } from '../cli-error';
import { addFilters, filterOptions, filterQuery } from './resources/filter-flags';
import type { GivenOptions } from './resources/member-flags';
import { openSession } from './session';
import { printAnswer } from './long-requests';

const INVENTORY = '/v1/ansible-inventory';

/** `muster ansible` */
export function ansibleCommand(): Command {
  const filters = filterOptions(resourceOf('host'));
  const command = new Command('ansible')
    .option('--list', 'the groups, and the resolved variables of every host')
    .option('--host <host>', "one host's resolved variables, by its name")
    .option('--inactive', 'hosts that are not active, too')
    .addHelpText('after', HELP);
  return addFilters(command, filters).action(async (options: GivenOptions, self: Command) => {
    const { list, host, inactive } = options;
    if ((list === undefined) === (host === undefined))
      throw usage('Ansible asks with either --list or --host: give one of them.');
    const { muster, project } = openSession(self);
    const query = {
      ...(await filterQuery(filters, options, new Finder(muster, project))),
      ...(inactive === true ? { inactive: true } : {}),
      ...(typeof host === 'string' ? { host } : {}),
    };
    await printAnswer(await muster.open('get', INVENTORY, { query }));
  });
}

const HELP = `
Ansible runs muster-ansible, which is the same, as an inventory:
  ansible-inventory -i "$(command -v muster-ansible)" --graph`;
