import { Command, CommanderError, Option } from 'commander';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT, type ExitCode } from '../cli-error';
import { coloursOf, leaveUnheard, say } from '../output/console';
import { FORMATS } from '../output/formats';
import { groups, type Group } from './command-registry';
import { openedSettings } from './session';

const SETTINGS = `
Who asks is told by flags, else by the environment (MUSTER_URL, MUSTER_PROJECT, MUSTER_USER, MUSTER_TOKEN), else by the
profile that "muster login" keeps (--profile, or MUSTER_PROFILE). The exit code is 0 on success, 2 for a command that
is wrong, 3 for what is not there, 4 for what the server refuses, 5 if it cannot be reached, 6 for a name that means
several, 7 if a part is done, 130 for an interruption, and 1 for anything else.`;

/**
 * The command line: the whole of what some words name, and of the rest the names.
 * @param words of the command line, or of the one that is to be completed
 */
async function program(words: readonly string[]): Promise<Command> {
  const command = new Command('muster')
    .description('The fleet inventory, from the shell.')
    .option('--profile <name>', 'whose settings to use, of those that "muster login" keeps')
    .option('--url <url>', 'where Muster is')
    .option('--project <id>', 'the project to work in, by its UUID')
    .option('--user <name>', 'the user whose key it is')
    .option(
      '--token <key>',
      'the API key; others on this machine may see it here: better the environment, or a profile',
    )
    .option('--reason <text>', 'why: stands in the change record')
    .option('--all-projects', 'lists show every project that root may see')
    .addOption(new Option('-o, --output <format>', 'how to print').choices(FORMATS).default('table'))
    .option('--no-color', 'no colours; NO_COLOR in the environment does the same')
    .version(version(), '--version', 'tells which version of muster this is')
    .addHelpText('after', SETTINGS)
    .configureOutput({
      outputError: (text, write) =>
        write(text.replace(/^error:/, () => coloursOf(process.stderr).red('muster:'))),
    })
    .showHelpAfterError('"--help" tells more.')
    .configureHelp({ showGlobalOptions: true })
    .exitOverride();
  // Bash hands over a line that is to be completed as one.
  const named = new Set(words.flatMap((word) => word.split(/\s+/)));
  for (const group of groups)
    command.addCommand(await commandOf(group, named), { hidden: group.hidden ?? false });
  inherit(command);
  return command;
}

async function commandOf(group: Group, named: ReadonlySet<string>): Promise<Command> {
  const { name, alias, description } = group;
  const isNamed = named.has(name) || (alias !== undefined && named.has(alias));
  const command = isNamed ? await group.load() : new Command(name);
  command.description(description);
  return alias === undefined ? command : command.alias(alias);
}

/** The version of the package that the built program belongs to. */
function version(): string {
  const text = readFileSync(join(__dirname, '../../package.json'), 'utf8');
  return String((JSON.parse(text) as { readonly version: unknown }).version);
}

/** What commander does not hand down to the commands of a command. */
function inherit(parent: Command): void {
  for (const child of parent.commands) {
    child.copyInheritedSettings(parent);
    inherit(child);
  }
}

/** Runs the command line; whatever stops it is said on standard error, and in the exit code. */
export async function run(argv: readonly string[]): Promise<void> {
  watchStreams();
  try {
    await (await program(argv)).parseAsync(argv);
  } catch (error) {
    process.exitCode = await exitCodeFor(error);
  }
}

/**
 * What is printed may not arrive. Where nobody reads on (`| head`), the program ends without a word; but what it has
 * begun to write it writes to its end.
 */
function watchStreams(): void {
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') {
      if (leaveUnheard()) return;
      process.exit(EXIT.done);
    }
    say(`muster: what it prints cannot be written: ${message}`);
    process.exit(EXIT.fault);
  });
  // Nobody hears it: that is no reason to leave what is being done.
  process.stderr.on('error', () => undefined);
}

async function exitCodeFor(error: unknown): Promise<ExitCode> {
  // It has said by itself what is wrong.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  const { tell } = await import('./report-error.js');
  return tell(error, openedSettings());
}
