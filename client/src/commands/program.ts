import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT, type ExitCode } from '../cli-error';
import { commands, type CommandEntry } from './command-registry';
import { canPropose, currentSettings } from './session';
import { describeUsageError } from './command-suggestions';
import { closeOutput, coloursFor, printError, printStatus } from '../output/console';
import { FORMATS } from '../output/formats';

const SETTINGS_HELP = `
Credentials come from flags, then environment variables (MUSTER_URL, MUSTER_PROJECT, MUSTER_USER, MUSTER_TOKEN or
MUSTER_TOKEN_FILE), then the profile saved by "muster login" (--profile or MUSTER_PROFILE). Exit codes: 0 success, 2 invalid command line, file or
setting, 3 not found, 4 rejected by the server, 5 server unavailable, 6 ambiguous name, 7 partial success, 8
differences found by "muster diff", 130 interrupted, 1 any other error.`;

/**
 * Builds the command tree. Only the commands that the words name are loaded; the others have a name and a description.
 * @param words of the command line, or of the line that a shell completes
 */
async function buildProgram(words: readonly string[]): Promise<Command> {
  const command = new Command('muster')
    .description('The fleet inventory, from the shell.')
    .option('--profile <name>', 'the profile to use, as saved by "muster login"')
    .option('--url <url>', 'the URL of Muster')
    .option('--project <id>', 'the UUID of the project to work in')
    .option('--user <name>', 'the owner of the API key')
    .option(
      '--token <key>',
      'the API key; visible to other users of this machine, so prefer the environment or a profile',
    )
    .option('--reason <text>', 'the reason for the change record; the note of a resource does not count')
    .option('--all-projects', 'list the resources of every project (root only)')
    .addOption(new Option('-o, --output <format>', 'the output format').choices(FORMATS).default('table'))
    .option('--no-color', 'print without colours, as does the environment variable NO_COLOR')
    .version(version(), '--version', 'print the version')
    .addHelpText('after', SETTINGS_HELP)
    .showSuggestionAfterError(false)
    .configureHelp({ showGlobalOptions: true });
  // For completion, Bash passes the line as one word.
  const named = new Set(words.flatMap((word) => word.split(/\s+/)));
  for (const entry of commands)
    command.addCommand(await buildCommand(entry, named), { hidden: entry.hidden ?? false });
  prepareSubcommands(command);
  return command;
}

async function buildCommand(entry: CommandEntry, named: ReadonlySet<string>): Promise<Command> {
  const { name, alias, description } = entry;
  const isNamed = named.has(name) || (alias !== undefined && named.has(alias));
  const command = isNamed ? await entry.load() : new Command(name);
  command.description(description);
  return alias === undefined ? command : command.alias(alias);
}

/** The version of the package that the built program belongs to. */
function version(): string {
  const text = readFileSync(join(__dirname, '../../package.json'), 'utf8');
  return String((JSON.parse(text) as { readonly version: unknown }).version);
}

/** Copies settings to subcommands, which commander does for direct children only, and guards their options. */
function prepareSubcommands(parent: Command): void {
  // Errors are printed when the code of the error is known.
  parent.configureOutput({ outputError: () => undefined });
  parent.exitOverride((error) => {
    if (isUsageError(error)) printUsageError(error, parent);
    throw error;
  });
  for (const child of parent.commands) {
    child.copyInheritedSettings(parent);
    for (const option of child.options) if (hasSingleValue(option)) rejectRepetition(option);
    prepareSubcommands(child);
  }
}

/** Whether commander ends because of an error, and not after it has printed help or the version. */
const isUsageError = ({ code, exitCode }: CommanderError): boolean =>
  exitCode !== 0 && code !== 'commander.help';

function printUsageError(error: CommanderError, command: Command): void {
  const message = describeUsageError(error, command).replace(/^error: /, '');
  printError(coloursFor(process.stderr).red('muster:'), message, ['See --help.']);
}

/** Whether an option takes one value. Those that collect several, or convert a value, have a parser of their own. */
const hasSingleValue = ({ required, parseArg, argChoices, defaultValue }: Option): boolean =>
  required && (parseArg === undefined || argChoices !== undefined) && defaultValue === undefined;

/** Rejects an option that is given twice: commander would keep the last value without a word. */
function rejectRepetition(option: Option): void {
  const parse = option.parseArg;
  option.argParser((text: string, before: unknown) => {
    if (before !== undefined) throw new InvalidArgumentError('It can be given only once.');
    return parse ? parse<unknown>(text, before) : text;
  });
}

/** Runs a command line. Errors are printed to standard error and set the exit code. */
export async function run(argv: readonly string[]): Promise<void> {
  handleStreamErrors();
  try {
    await (await buildProgram(argv)).parseAsync(argv);
  } catch (error) {
    process.exitCode = await handleError(error);
  }
}

/**
 * Handles closed or failing output streams. If standard output is closed (`| head`), the program ends silently, except that
 * it finishes a write to the service.
 */
function handleStreamErrors(): void {
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') {
      if (closeOutput()) return;
      process.exit(EXIT.success);
    }
    printStatus(`muster: cannot write to standard output: ${message}`);
    process.exit(EXIT.internalError);
  });
  // Without standard error, the command still finishes its work.
  process.stderr.on('error', () => undefined);
}

async function handleError(error: unknown): Promise<ExitCode> {
  // Its message is printed.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.success : EXIT.usageError;
  const { reportError } = await import('./report-error.js');
  return reportError(error, currentSettings(), canPropose());
}
