import type { Command } from 'commander';
import { ApiError } from '@muster/api-types';
import type { ApiResponse, RequestOptions } from '../api/muster';
import { CliError, EXIT } from '../cli-error';
import {
  ruleLines,
  assertAllowed,
  MAX_SHOWN_DEVICES,
  printImpact,
  readPreview,
  type Impact,
  type Preview,
} from './impact-preview';
import { describeImpact, printDone, printWritten, writeOf } from './report-write';
import { addProposalOptions, type ProposableWrite, proposeInstead } from './propose';
import type { Session } from './session';
import { displayName, type FoundResource } from '../lookup/resource-finder';
import { escapeControl, printStatus } from '../output/console';
import { pluralize } from '../text';
import { printOne } from '../output/formats';

/** The options of commands that ask for confirmation. */
export interface ConfirmationOptions {
  readonly dryRun?: true;
  readonly yes?: true;
}

/** The help of the option `--yes`. */
export const YES_HELP = 'write without asking for confirmation';

/** Adds the options of commands that ask for confirmation, or propose the write instead. */
export const addConfirmationOptions = (command: Command): Command =>
  addProposalOptions(
    command
      .option('--dry-run', 'show which devices would resolve other values, without writing')
      .option('-y, --yes', YES_HELP),
  );

/** A write to the variables of a resource, with its messages. */
export interface VariablesWrite {
  readonly method: 'put' | 'delete';
  /** The path below the resource: `/variables`, or empty for the resource itself. */
  readonly subpath: string;
  readonly body: unknown;
  /** Headers with a precondition, instead of the version of the preview. */
  readonly precondition?: Readonly<Record<string, string>>;
  /** The keys that are set or removed. */
  readonly keys: readonly string[];
  /** The message after the write: `Set kernel on region north`. */
  readonly doneText: (keys: string) => string;
  /** What the write would do, for questions: `set kernel on region north`. */
  readonly intentText: (keys: string) => string;
  /** The message if nothing would change. */
  readonly unchangedText: string;
}

/** How often a write is previewed again after concurrent changes. */
const MAX_ATTEMPTS = 10;
/** How many further consequences a question names. */
const MAX_SHOWN_CONSEQUENCES = 20;

/**
 * Writes variables. If the resolved values of more than one device would change, or the type of a variable of the resource
 * itself, it shows the changes and asks for confirmation. The write has the previewed version as a precondition.
 * @throws CliError if the user declines, or there is no terminal to ask at; ApiError
 */
export async function writeWithConfirmation(
  session: Session,
  target: FoundResource,
  write: VariablesWrite,
  { dryRun, yes }: ConfirmationOptions,
): Promise<void> {
  const confirmed = new ConfirmedWrite(session, target, write);
  if (await proposeInstead(session, [confirmed.request])) return;
  if (dryRun) await confirmed.printDryRun();
  else if (yes) await confirmed.writeUnconditionally();
  else await confirmed.writeAfterPreview();
}

class ConfirmedWrite {
  constructor(
    private readonly session: Session,
    private readonly target: FoundResource,
    private readonly write: VariablesWrite,
  ) {}

  /** The write, without the version of a preview. */
  get request(): ProposableWrite {
    const { method, subpath, body, precondition: headers } = this.write;
    const path = `/v1/${this.target.resource.collection}/{id}${subpath}`;
    return { method, path, options: { path: { id: this.target.id }, body, headers } };
  }

  /** Shows what the write would do. */
  async printDryRun(): Promise<void> {
    const { format } = this.session;
    const preview = await this.preview();
    if (format === 'json' || format === 'yaml' || format === 'terraform')
      await printOne(format, preview.body, 'dry_run');
    else if (preview.devices > 0 || format === 'csv') await printImpact(format, preview);
    printOmittedCount(preview);
    printStatus(...preview.typeChanges, ...ruleLines(preview.body));
    const { intentText, unchangedText } = this.write;
    printStatus(
      preview.changed.length === 0
        ? `Dry run: ${unchangedText}; nothing would change.`
        : `Dry run: this would ${intentText(this.changedKeys(preview))}. ${describeImpact(preview, 'would resolve')}. Nothing was changed.`,
    );
  }

  /** Writes without a preview. */
  async writeUnconditionally(): Promise<void> {
    const response = await this.send({});
    const { doneText, keys } = this.write;
    const text = doneText(keys.join(', '));
    // Nothing was set or removed if there are no keys.
    if (keys.length === 0) printDone(text);
    else await printWritten(this.session, text, [writeOf(response, 'unknown')]);
  }

  /** Writes after a preview, and after confirmation if several devices are affected or the type of a value changes. */
  async writeAfterPreview(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const preview = await this.preview();
      if (preview.changed.length === 0) {
        printStatus(`Nothing to do: ${this.write.unchangedText}.`);
        return;
      }
      assertAllowed(preview.body);
      const changed = this.changedKeys(preview);
      await confirmImpact(preview, this.write.intentText(changed), preview.typeChanges);
      const response = await this.writeIfUnchanged(preview, attempt);
      if (!response) continue;
      const text = this.write.doneText(changed);
      return printWritten(this.session, text, [writeOf(response, preview.devices)]);
    }
  }

  /** @returns undefined if the resource was changed after the preview */
  private async writeIfUnchanged({ version }: Preview, attempt: number): Promise<ApiResponse | undefined> {
    try {
      return await this.send({}, version);
    } catch (error) {
      const isOutdated = error instanceof ApiError && error.status === 412;
      if (!isOutdated || this.write.precondition || attempt === MAX_ATTEMPTS) throw error;
      if (isInteractive())
        printStatus(`The ${displayName(this.target)} was changed in the meantime; previewing again.`);
      return undefined;
    }
  }

  /** In the order of the command line. */
  private changedKeys({ changed }: Preview): string {
    return this.write.keys.filter((key) => changed.includes(key)).join(', ');
  }

  private async preview(): Promise<Preview> {
    return readPreview((await this.send({ dry_run: true, limit: MAX_SHOWN_DEVICES })).body);
  }

  private send(query: RequestOptions['query'], version?: number): Promise<ApiResponse> {
    const { method, path, options } = this.request;
    const { headers, ...others } = options;
    const ifMatch = version === undefined ? {} : { ifMatch: version };
    return this.session.muster.request(method, path, {
      ...others,
      query,
      ...(headers ? { headers } : ifMatch),
    });
  }
}

/**
 * Asks for confirmation if the resolved values of more than one device would change, or if there are other consequences to
 * confirm.
 * @param intent what the write does: `set kernel on region north`
 * @param others other consequences, as sentences
 * @throws CliError if the user declines, or there is no terminal to ask at
 */
export async function confirmImpact(
  impact: Impact,
  intent: string,
  others: readonly string[],
): Promise<void> {
  const { devices, keys } = impact;
  const omitted = others.length - MAX_SHOWN_CONSEQUENCES;
  const consequences = [
    ...(devices > 1
      ? [`This would change the resolved values of ${pluralize(devices, 'device')}: ${keys.join(', ')}.`]
      : []),
    ...others.slice(0, MAX_SHOWN_CONSEQUENCES),
    ...(omitted > 0 ? [`… and ${String(omitted)} more.`] : []),
  ];
  if (consequences.length === 0) return;
  await requireConfirmation(consequences, intent, async () => {
    if (devices > 0) await printImpactTable(impact);
  });
}

/**
 * Shows what a write would change, and asks for confirmation.
 * @param consequence what the write would change, in one sentence or several
 * @param intent what the write does: `set kernel on region north`
 * @param show prints the details before the question
 * @param details what else shows them
 * @throws CliError if the user declines, or there is no terminal to ask at
 */
export async function requireConfirmation(
  consequence: string | readonly string[],
  intent: string,
  show: () => Promise<void>,
  details = '--dry-run',
): Promise<void> {
  const [first = '', ...others] = [consequence].flat();
  if (!isInteractive())
    throw new CliError(first, EXIT.usageError, [
      ...others.map((line) => `  ${line}`),
      `  Nothing was changed. Use --yes to skip the question, or ${details} to see the details.`,
    ]);
  await show();
  printStatus(first, ...others);
  if (!(await confirm(`Really ${intent}?`))) throw new CliError('Nothing was changed.', EXIT.interrupted);
}

/** Prints the changed values of the first affected devices, and the number of the others. */
export async function printImpactTable(impact: Impact): Promise<void> {
  await printImpact('table', impact);
  printOmittedCount(impact);
}

function printOmittedCount({ devices, items }: Impact): void {
  if (devices > items.length) printStatus(`… and ${pluralize(devices - items.length, 'more device')}.`);
}

/** Whether a user at a terminal can see the output and answer questions. */
const isInteractive = (): boolean =>
  [process.stdin, process.stdout, process.stderr].every(({ isTTY }) => isTTY);

/**
 * Asks a question at the terminal. The default answer is no.
 * @throws CliError for Ctrl-C, or if the terminal is closed
 */
async function confirm(question: string): Promise<boolean> {
  const { default: ask } = await import('@inquirer/confirm');
  try {
    return await ask({ message: escapeControl(question), default: false }, { output: process.stderr });
  } catch (error) {
    if (error instanceof Error && error.name === 'ExitPromptError')
      throw new CliError('Interrupted: nothing was changed.', EXIT.interrupted);
    throw error;
  }
}
