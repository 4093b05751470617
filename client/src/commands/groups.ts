import type { Command } from 'commander';
import { resources } from '../api/resources';

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
    load: async () => (await import('./vars/vars.command.js')).varsCommand(),
  },
  {
    name: 'change',
    alias: 'changes',
    description: 'The changes that were made: list, show, undo.',
    load: async () => (await import('./change/change.command.js')).changeCommand(),
  },
  {
    name: 'import',
    description: 'Creates and updates what files tell of; or what an Ansible inventory has (--from ansible).',
    load: async () => (await import('./import/import.command.js')).importCommand(),
  },
  {
    name: 'export',
    description: 'Writes out the inventory, or the devices that filters find, as "muster import" takes it.',
    load: async () => (await import('./export/export.command.js')).exportCommand(),
  },
  {
    name: 'ansible',
    description: 'The inventory as Ansible asks for it.',
    load: async () => (await import('./inventory/ansible.command.js')).ansibleCommand(),
  },
  {
    name: 'puppet',
    description: 'Classifies a node as Puppet asks for it: classes, parameters, environment.',
    load: async () => (await import('./inventory/puppet.command.js')).puppetCommand(),
  },
  {
    name: 'login',
    description: 'Keeps an API key, and where to use it, for the commands to come.',
    load: async () => (await import('./login/login.command.js')).loginCommand(),
  },
  {
    name: 'logout',
    description: 'Forgets what "muster login" has kept. The API key itself works on.',
    load: async () => (await import('./login/logout.command.js')).logoutCommand(),
  },
  {
    name: 'whoami',
    description: 'Shows who you are to the service: user, project, roles and API key.',
    load: async () => (await import('./whoami/whoami.command.js')).whoamiCommand(),
  },
  {
    name: 'profile',
    description: 'What "muster login" has kept.',
    load: async () => (await import('./login/profile.command.js')).profileCommand(),
  },
  {
    name: 'completion',
    description: 'Prints what makes a shell complete the commands and names of muster.',
    load: async () => (await import('./completion/completion.command.js')).completionCommand(),
  },
  {
    name: 'completion-words',
    description: '',
    hidden: true,
    load: async () => (await import('./completion/completion-words.command.js')).completionWordsCommand(),
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
    load: async () => (await import('./resources/resource-commands.js')).resourceCommand(kind),
  };
}
