import 'reflect-metadata';
import { Command, CommanderError } from 'commander';
import { EXIT, type ExitCode, type CommandAction, type Terminal, printStatus } from './terminal';

const DATABASE = `
Commands use the database of DATABASE_URL. Without it, they use the embedded database in DATA_DIR: that of a running
Muster, or else they start it while they run. The exit code is 0 on success and 1 on failure, unless the help of the
command describes others.`;

/** A command. Its file is loaded when it is used: help and errors of the command line need no database. */
interface CommandEntry {
  /** The name and the arguments. */
  readonly usage: string;
  readonly description: string;
  readonly load: () => Promise<{ configure(command: Command, perform: CommandAction): void }>;
}

const COMMANDS: readonly CommandEntry[] = [
  {
    usage: 'bootstrap',
    description: 'Creates the first project and its root user.',
    load: () => import('./commands/bootstrap.command.js'),
  },
  {
    usage: 'migrate',
    description: "Migrates the database's schema to the version of this program.",
    load: () => import('./commands/migrate.command.js'),
  },
  {
    usage: 'indexes',
    description: 'Creates indexes for which extensions of PostgreSQL were missing.',
    load: () => import('./commands/indexes.command.js'),
  },
  {
    usage: 'distribute',
    description: 'Distributes the tables of a Citus database by project.',
    load: () => import('./commands/distribute.command.js'),
  },
  {
    usage: 'user',
    description: 'Creates, changes, deletes and lists users, and manages their API keys.',
    load: () => import('./commands/user.command.js'),
  },
  {
    usage: 'session',
    description: 'Lists and ends the sessions of browsers.',
    load: () => import('./commands/session.command.js'),
  },
  {
    usage: 'secrets',
    description: 'Manages the encryption keys of access secrets and stored responses.',
    load: () => import('./commands/secrets.command.js'),
  },
  {
    usage: 'verify',
    description: 'Checks the consistency of the stored data.',
    load: () => import('./commands/verify.command.js'),
  },
  {
    usage: 'prune',
    description: 'Removes stored values of variables that no resource has any more.',
    load: () => import('./commands/prune.command.js'),
  },
  {
    usage: 'backup <file>',
    description: 'Writes all stored data to one file, while the service runs.',
    load: () => import('./commands/backup.command.js'),
  },
  {
    usage: 'restore <file>',
    description: 'Restores a backup of "muster-admin backup" into an empty database.',
    load: () => import('./commands/restore.command.js'),
  },
];

/**
 * Runs a command line. Expected errors are printed as one sentence.
 * @param args the arguments after the program's name
 * @returns the exit code
 */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  let code: ExitCode = EXIT.done;
  const perform: CommandAction = async (work) => {
    const { settingWarnings } = await import('../config/environment.js');
    for (const warning of settingWarnings(terminal.environment)) printStatus(terminal, warning);
    code = await work(terminal);
  };
  try {
    const program = await loadProgram(args, terminal, perform);
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    // Commander has already printed the error or the help.
    if (error instanceof CommanderError) return error.exitCode;
    const { formatCommandError } = await import('./error-messages.js');
    printStatus(terminal, formatCommandError(error));
    return EXIT.failed;
  }
}

/** Creates the program with all commands. Only the command that `args` name has its options and actions. */
async function loadProgram(
  args: readonly string[],
  { output, errors }: Terminal,
  perform: CommandAction,
): Promise<Command> {
  const command = new Command('muster-admin')
    .description('Administers a deployment of Muster through its database.')
    .addHelpText('after', DATABASE)
    .configureOutput({
      writeOut: (text) => output.write(text),
      writeErr: (text) => errors.write(text),
      getOutHelpWidth: () => widthOf(output),
      getErrHelpWidth: () => widthOf(errors),
    })
    .exitOverride();
  for (const { usage, description, load } of COMMANDS) {
    const child = command.command(usage).description(description);
    // The second is the name in `muster-admin help <command>`.
    if (args.slice(0, 2).includes(child.name())) (await load()).configure(child, perform);
  }
  inheritSettings(command);
  return command;
}

/** In characters. The default is for output that is not a terminal. */
const widthOf = ({ isTTY, columns }: Terminal['output']): number => (isTTY ? columns : undefined) ?? 80;

/** Commander does not copy settings to commands that are created before they are added. */
function inheritSettings(parent: Command): void {
  for (const child of parent.commands) {
    child.copyInheritedSettings(parent);
    inheritSettings(child);
  }
}
