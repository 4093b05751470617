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
The database is that of DATABASE_URL. Without it, the embedded one in DATA_DIR: that of the Muster that is running
there, or else it is started for as long as the command runs. The exit code is 0 on success and 1 on failure, unless
the command says more.`;

/**
 * Runs a command line; whatever is to be expected to stop it is said in one sentence.
 * @param args what follows the program's name
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
    // It has said by itself what is wrong, or helped.
    if (error instanceof CommanderError) return error.exitCode;
    const { formatCommandError: sentenceOf } = await import('./error-messages.js');
    printStatus(terminal, sentenceOf(error));
    return EXIT.failed;
  }
}

function program({ output, errors }: Terminal, perform: CommandAction): Command {
  const command = new Command('muster-admin')
    .description('Administers a deployment of Muster, on its database.')
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
  inherit(command);
  return command;
}

/** In letters; where nobody looks, what is usual. */
const widthOf = ({ isTTY, columns }: Terminal['output']): number => (isTTY ? columns : undefined) ?? 80;

/** What commander does not hand down to commands that are made before they are added. */
function inherit(parent: Command): void {
  for (const child of parent.commands) {
    child.copyInheritedSettings(parent);
    inherit(child);
  }
}
