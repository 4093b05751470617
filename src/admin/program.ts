import 'reflect-metadata';
import { Command, CommanderError } from 'commander';
import { backupCommand } from './commands/backup.command';
import { bootstrapCommand } from './commands/bootstrap.command';
import { distributeCommand } from './commands/distribute.command';
import { EXIT, type ExitCode, type CommandAction } from './exit-codes';
import { migrateCommand } from './commands/migrate.command';
import { printStatus } from './output';
import { restoreCommand } from './commands/restore.command';
import { secretsCommand } from './commands/secrets.command';
import type { Terminal } from './terminal';
import { userCommand } from './commands/user.command';
import { verifyCommand } from './commands/verify.command';

const DATABASE = `
Commands use the database of DATABASE_URL. Without it, they use the embedded database in DATA_DIR: that of a running
Muster, or else they start it while they run. The exit code is 0 on success and 1 on failure, unless the help of the
command describes others.`;

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
    await program(terminal, perform).parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    // Commander has already printed the error or the help.
    if (error instanceof CommanderError) return error.exitCode;
    const { formatCommandError } = await import('./error-messages.js');
    printStatus(terminal, formatCommandError(error));
    return EXIT.failed;
  }
}

function program({ output, errors }: Terminal, perform: CommandAction): Command {
  const command = new Command('muster-admin')
    .description('Administers a deployment of Muster through its database.')
    .addHelpText('after', DATABASE)
    .configureOutput({
      writeOut: (text) => output.write(text),
      writeErr: (text) => errors.write(text),
      getOutHelpWidth: () => widthOf(output),
      getErrHelpWidth: () => widthOf(errors),
    })
    .exitOverride()
    .addCommand(bootstrapCommand(perform))
    .addCommand(migrateCommand(perform))
    .addCommand(distributeCommand(perform))
    .addCommand(userCommand(perform))
    .addCommand(secretsCommand(perform))
    .addCommand(verifyCommand(perform))
    .addCommand(backupCommand(perform))
    .addCommand(restoreCommand(perform));
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
