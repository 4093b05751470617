import { Command } from 'commander';
import { resources } from '../api/resources';
import { describeKind, KINDS_WITHOUT_COMMANDS } from '../lookup/resource-finder';

/** A command of the program, and how to load it. */
export interface CommandEntry {
  readonly name: string;
  readonly alias?: string;
  readonly description: string;
  /** Not in the help: for shells. */
  readonly hidden?: true;
  load(): Promise<Command>;
}

const ANY_DEVICE = { kind: 'device', collection: 'devices' };

/**
 * All commands of the program, in the order of the help. They are loaded on demand, because loading all of them would take
 * most of the time that `muster` needs to start.
 */
export const commands: readonly CommandEntry[] = [
  ...[...resources.filter(({ kind }) => !KINDS_WITHOUT_COMMANDS.has(kind)), ANY_DEVICE].map(resourceEntry),
  {
    name: 'vars',
    description: 'Variables of resources: get, set, unset, explain, where, keys, values, history, hoist.',
    load: varsCommand,
  },
  {
    name: 'search',
    description: 'Searches names, labels, ids, addresses, and the keys and values of variables.',
    load: async () => (await import('./search.js')).searchCommand(),
  },
  {
    name: 'change',
    alias: 'changes',
    description: 'Change records: list, show, revert.',
    load: async () => (await import('./change.js')).changeCommand(),
  },
  {
    name: 'proposal',
    alias: 'proposals',
    description: 'Proposed writes: list, show, preview, amend, comment, approve, reject, withdraw, apply.',
    load: async () => (await import('./proposal/proposal.js')).proposalCommand(),
  },
  {
    name: 'batch',
    description: 'Does several writes of the API from a file, in order, in one change.',
    load: async () => (await import('./batch.js')).batchCommand(),
  },
  {
    name: 'import',
    description: 'Creates and updates resources from files, an Ansible inventory or a NetBox (--from).',
    load: async () => (await import('./import/import.js')).importCommand(),
  },
  {
    name: 'diff',
    description: 'Compares the inventory with files, an Ansible inventory or a NetBox, without writing.',
    load: async () => (await import('./diff.js')).diffCommand(),
  },
  {
    name: 'export',
    description: 'Exports the inventory, or devices that match filters, in the formats of "muster import".',
    load: async () => (await import('./export.js')).exportCommand(),
  },
  {
    name: 'export-netbox',
    description: 'Saves the answers of a NetBox for "muster import --from netbox --files".',
    load: async () => (await import('./export-netbox.js')).exportNetBoxCommand(),
  },
  {
    name: 'ansible',
    description: 'Prints the inventory as a dynamic inventory for Ansible.',
    load: async () => (await import('./ansible.js')).ansibleCommand(),
  },
  {
    name: 'puppet',
    description: 'Classifies a node for Puppet: classes, parameters, environment.',
    load: async () => (await import('./puppet.js')).puppetCommand(),
  },
  {
    name: 'login',
    description: 'Saves an API key and its URL in a profile.',
    load: async () => (await import('./login.js')).loginCommand(),
  },
  {
    name: 'logout',
    description: 'Deletes a profile. The API key itself stays valid.',
    load: async () => (await import('./logout.js')).logoutCommand(),
  },
  {
    name: 'whoami',
    description: 'Shows the authenticated user: project, roles and API key.',
    load: async () => (await import('./whoami.js')).whoamiCommand(),
  },
  {
    name: 'profile',
    description: 'Profiles saved by "muster login": list.',
    load: async () => (await import('./profile.js')).profileCommand(),
  },
  {
    name: 'completion',
    description: 'Prints a shell script that completes commands and names.',
    load: async () => (await import('./completion/completion.js')).completionCommand(),
  },
  {
    name: 'completion-words',
    description: '',
    hidden: true,
    load: async () => (await import('./completion/completion.js')).completionWordsCommand(),
  },
];

/** The command of a kind of resource: `muster host`, `muster region` … */
function resourceEntry({
  kind,
  collection,
}: {
  readonly kind: string;
  readonly collection: string;
}): CommandEntry {
  const words = collection.replaceAll('-', ' ');
  const title = `${words.charAt(0).toUpperCase()}${words.slice(1)}${kind === ANY_DEVICE.kind ? ' of every kind' : ''}`;
  return {
    name: kind,
    alias: collection,
    description: `${title}: create, list, show, update, delete.`,
    load: () => resourceCommand(kind),
  };
}

async function resourceCommand(kind: string): Promise<Command> {
  const [{ allDevices }, list, show, create, update, { deleteCommand }] = await Promise.all([
    import('./resources/all-devices.js'),
    import('./resources/list.js'),
    import('./resources/show.js'),
    import('./resources/create.js'),
    import('./resources/update.js'),
    import('./resources/delete.js'),
  ]);
  const resource = kind === ANY_DEVICE.kind ? allDevices : describeKind(kind);
  const command = new Command(kind)
    .addCommand(list.listCommand(resource))
    .addCommand(show.showCommand(resource))
    .addCommand(create.createCommand(resource))
    .addCommand(update.updateCommand(resource))
    .addCommand(deleteCommand(resource));
  if (kind === 'user') {
    const { userKeyCommand } = await import('./resources/user-key.js');
    return command.addCommand(userKeyCommand());
  }
  if (kind === ANY_DEVICE.kind) {
    const { countsCommand } = await import('./counts-and-values.js');
    return command.addCommand(countsCommand());
  }
  if (kind !== 'project') return command;
  const { projectSettingsCommand } = await import('./resources/project-settings.js');
  return command.addCommand(projectSettingsCommand());
}

async function varsCommand(): Promise<Command> {
  const [get, set, explain, where, statistics, history, hoist] = await Promise.all([
    import('./vars/get.js'),
    import('./vars/set-unset.js'),
    import('./vars/explain.js'),
    import('./vars/key-usage.js'),
    import('./counts-and-values.js'),
    import('./vars/history.js'),
    import('./vars/hoist.js'),
  ]);
  return new Command('vars')
    .addCommand(get.getCommand())
    .addCommand(set.setCommand())
    .addCommand(set.unsetCommand())
    .addCommand(explain.explainCommand())
    .addCommand(where.whereCommand())
    .addCommand(where.keysCommand())
    .addCommand(statistics.valuesCommand())
    .addCommand(history.historyCommand())
    .addCommand(hoist.hoistCommand());
}
