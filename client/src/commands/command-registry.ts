import { Command } from 'commander';
import { resources } from '../api/resources';
import { resourceOf } from '../lookup/resource-finder';

/** What the program has a command for, and what it takes to have the whole of it. */
export interface Group {
  readonly name: string;
  readonly alias?: string;
  readonly description: string;
  /** Shells ask it, and nobody else. */
  readonly hidden?: true;
  load(): Promise<Command>;
}

/** Kinds that have no commands of their own. */
const WITHOUT = new Set(['access-secret', 'audit', 'variable-definition']);
/** What goes for every kind of device. */
const DEVICE = { kind: 'device', collection: 'devices' };

/**
 * Every command of the program, in the order of its help. Only those that a command line names are loaded: most of the
 * time that `muster` takes to start would go to the others.
 */
export const groups: readonly Group[] = [
  ...[...resources.filter(({ kind }) => !WITHOUT.has(kind)), DEVICE].map(groupOf),
  {
    name: 'vars',
    description: 'The variables of resources: get, set, unset, explain, where, keys, history.',
    load: varsCommand,
  },
  {
    name: 'change',
    alias: 'changes',
    description: 'The changes that were made: list, show, undo.',
    load: changeCommand,
  },
  {
    name: 'import',
    description: 'Creates and updates what files tell of; or what an Ansible inventory has (--from ansible).',
    load: async () => (await import('./import/import.js')).importCommand(),
  },
  {
    name: 'export',
    description: 'Writes out the inventory, or the devices that filters find, as "muster import" takes it.',
    load: async () => (await import('./export.js')).exportCommand(),
  },
  {
    name: 'ansible',
    description: 'The inventory as Ansible asks for it.',
    load: async () => (await import('./ansible.js')).ansibleCommand(),
  },
  {
    name: 'puppet',
    description: 'Classifies a node as Puppet asks for it: classes, parameters, environment.',
    load: async () => (await import('./puppet.js')).puppetCommand(),
  },
  {
    name: 'login',
    description: 'Keeps an API key, and where to use it, for the commands to come.',
    load: async () => (await import('./login.js')).loginCommand(),
  },
  {
    name: 'logout',
    description: 'Forgets what "muster login" has kept. The API key itself works on.',
    load: async () => (await import('./logout.js')).logoutCommand(),
  },
  {
    name: 'whoami',
    description: 'Shows who you are to the service: user, project, roles and API key.',
    load: async () => (await import('./whoami.js')).whoamiCommand(),
  },
  {
    name: 'profile',
    description: 'What "muster login" has kept.',
    load: async () => (await import('./profile.js')).profileCommand(),
  },
  {
    name: 'completion',
    description: 'Prints what makes a shell complete the commands and names of muster.',
    load: async () => (await import('./completion/completion.js')).completionCommand(),
  },
  {
    name: 'completion-words',
    description: '',
    hidden: true,
    load: async () => (await import('./completion/completion.js')).completionWordsCommand(),
  },
];

/** `muster host`, `muster region` …: create, list, show, update and delete, for every kind of resource alike. */
function groupOf({ kind, collection }: { readonly kind: string; readonly collection: string }): Group {
  const words = collection.replaceAll('-', ' ');
  const title = `${words.charAt(0).toUpperCase()}${words.slice(1)}${kind === DEVICE.kind ? ' of every kind' : ''}`;
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
  const resource = kind === DEVICE.kind ? allDevices : resourceOf(kind);
  const command = new Command(kind)
    .addCommand(list.listCommand(resource))
    .addCommand(show.showCommand(resource))
    .addCommand(create.createCommand(resource))
    .addCommand(update.updateCommand(resource))
    .addCommand(deleteCommand(resource));
  if (kind !== 'user') return command;
  const { userKeyCommand } = await import('./resources/user-key.js');
  return command.addCommand(userKeyCommand());
}

async function varsCommand(): Promise<Command> {
  const [get, set, unset, explain, where, keys, history] = await Promise.all([
    import('./vars/get.js'),
    import('./vars/set.js'),
    import('./vars/unset.js'),
    import('./vars/explain.js'),
    import('./vars/where.js'),
    import('./vars/keys.js'),
    import('./vars/history.js'),
  ]);
  return new Command('vars')
    .addCommand(get.getCommand())
    .addCommand(set.setCommand())
    .addCommand(unset.unsetCommand())
    .addCommand(explain.explainCommand())
    .addCommand(where.whereCommand())
    .addCommand(keys.keysCommand())
    .addCommand(history.historyCommand());
}

async function changeCommand(): Promise<Command> {
  const [list, show, undo] = await Promise.all([
    import('./change/list.js'),
    import('./change/show.js'),
    import('./change/undo.js'),
  ]);
  return new Command('change')
    .addCommand(list.listChanges())
    .addCommand(show.showChange())
    .addCommand(undo.undoChange());
}
