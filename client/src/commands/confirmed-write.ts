import { Refusal } from '../api/errors';
import type { PlainRequest } from '../api/muster';
import { calledName, type Found } from '../lookup/resource-finder';
import { EXIT, Failure } from '../cli-error';
import { counted, say, visible } from '../output/console';
import { printOne } from '../output/formats';
import { type Impact, type Preview, previewOf, printImpact, SHOWN_DEVICES } from './dry-run';
import type { Session } from './session';

/** How a write is to be done. */
export interface WriteOptions {
  readonly dryRun?: true;
  readonly yes?: true;
}

/** A write of a resource's variables, and how it is told of. */
export interface VariablesWrite {
  readonly method: 'put' | 'delete';
  /** Below the resource: `/variables`, or nothing for the resource itself. */
  readonly below: string;
  readonly body: unknown;
  /** A condition of its own, in place of the version that was previewed. */
  readonly condition?: Readonly<Record<string, string>>;
  /** The keys that it names. */
  readonly keys: readonly string[];
  /** What was done: `Set kernel on region north`. */
  readonly did: (keys: string) => string;
  /** The same, where nothing has been done yet: `set kernel on region north`. */
  readonly would: (keys: string) => string;
  /** What to say where everything is so already. */
  readonly already: string;
}

/** So often it is looked at again, where others write at the same time. */
const MOST_LOOKS = 10;

/**
 * Writes variables, but not to the surprise of many: where more than one device would resolve other values, whoever
 * is at the terminal is shown which, and asked. What is done then is what was shown.
 * @throws Failure where the answer is no, or nobody can be asked; Refusal
 */
export async function writeCarefully(
  session: Session,
  target: Found,
  write: VariablesWrite,
  { dryRun, yes }: WriteOptions,
): Promise<void> {
  const careful = new CarefulWrite(session, target, write);
  if (dryRun) await careful.show();
  else if (yes) await careful.now();
  else await careful.ask();
}

class CarefulWrite {
  constructor(
    private readonly session: Session,
    private readonly target: Found,
    private readonly write: VariablesWrite,
  ) {}

  /** Shows what it would do, and does nothing. */
  async show(): Promise<void> {
    const { format } = this.session;
    const preview = await this.preview();
    if (format === 'json' || format === 'yaml' || format === 'terraform')
      await printOne(format, preview.body, { names: Object.keys(preview.body), name: 'dry_run' });
    else if (preview.devices > 0 || format === 'csv') await printImpact(format, preview);
    sayMore(preview);
    const { would, already } = this.write;
    say(
      preview.changed.length === 0
        ? `Dry run: ${already}; nothing would change.`
        : `Dry run: this would ${would(this.changedBy(preview))}. ${consequence(preview, 'would resolve')}. Nothing was changed.`,
    );
  }

  /** Does it, whatever follows. */
  async now(): Promise<void> {
    await this.send({});
    const { did, keys } = this.write;
    say(`${did(keys.join(', '))}.`);
  }

  /** Does it if it is small, or was agreed to. */
  async ask(): Promise<void> {
    for (let look = 1; ; look++) {
      const preview = await this.preview();
      if (preview.changed.length === 0) {
        say(`Nothing to do: ${this.write.already}.`);
        return;
      }
      const changed = this.changedBy(preview);
      await agreeTo(preview, this.write.would(changed));
      if (await this.sendAsPreviewed(preview, look)) {
        say(`${this.write.did(changed)}. ${consequence(preview, 'resolve')}.`);
        return;
      }
    }
  }

  /** @returns whether it was done; if not, somebody else has changed the resource since it was looked at */
  private async sendAsPreviewed({ version }: Preview, look: number): Promise<boolean> {
    try {
      await this.send({}, version);
      return true;
    } catch (error) {
      const isOvertaken = error instanceof Refusal && error.status === 412;
      if (!isOvertaken || this.write.condition || look === MOST_LOOKS) throw error;
      if (canAsk()) say(`The ${calledName(this.target)} was changed in the meantime; looking again.`);
      return false;
    }
  }

  /** In the order in which they were named. */
  private changedBy({ changed }: Preview): string {
    return this.write.keys.filter((key) => changed.includes(key)).join(', ');
  }

  private async preview(): Promise<Preview> {
    return previewOf(await this.send({ dry_run: true, limit: SHOWN_DEVICES }));
  }

  private async send(query: PlainRequest['query'], version?: number): Promise<unknown> {
    const { method, below, body, condition } = this.write;
    const ifMatch = version === undefined ? {} : { ifMatch: version };
    const path = `/v1/${this.target.resource.collection}/{id}${below}`;
    const answer = await this.session.muster.request(method, path, {
      path: { id: this.target.id },
      query,
      body,
      ...(condition ? { headers: condition } : ifMatch),
    });
    return answer.body;
  }
}

/**
 * Where more than one device would resolve other values, shows which, and asks.
 * @param would what is about to be done: `set kernel on region north`
 * @throws Failure where the answer is no, or nobody can be asked
 */
export async function agreeTo(impact: Impact, would: string): Promise<void> {
  const { devices } = impact;
  if (devices <= 1) return;
  const many = `This would alter what ${counted(devices, 'device')} resolve: ${impact.keys.join(', ')}.`;
  await requireConsent(many, would, () => showImpact(impact));
}

/**
 * Shows what a write would change, and asks for consent.
 * @param consequence what the write would change, in one sentence
 * @param would what is about to be done: `set kernel on region north`
 * @param show prints the details before the question
 * @throws Failure where the answer is no, or nobody can be asked
 */
export async function requireConsent(
  consequence: string,
  would: string,
  show: () => Promise<void>,
): Promise<void> {
  if (!canAsk())
    throw new Failure(consequence, EXIT.usage, [
      '  --yes does it without asking, --dry-run shows which they are. Nothing was changed.',
    ]);
  await show();
  say(consequence);
  if (!(await confirm(`Really ${would}?`))) throw new Failure('Nothing was changed.', EXIT.interrupted);
}

/** Shows which devices get other values of what: the first of them, and how many more there are. */
export async function showImpact(impact: Impact): Promise<void> {
  await printImpact('table', impact);
  sayMore(impact);
}

function sayMore({ devices, items }: Impact): void {
  if (devices > items.length) say(`… and ${counted(devices - items.length, 'more device')}.`);
}

/** What follows for devices, as a sentence without its full stop. */
export const consequence = ({ devices }: Impact, verb: 'resolve' | 'would resolve'): string =>
  devices === 0
    ? 'No device resolves another value by it'
    : `${counted(devices, 'device')} ${verb === 'resolve' && devices === 1 ? 'resolves' : verb} another value`;

/** Whether there is somebody to be asked, who sees what it is about. */
const canAsk = (): boolean => [process.stdin, process.stdout, process.stderr].every(({ isTTY }) => isTTY);

/**
 * Asks at the terminal, on standard error; whoever says nothing has said no.
 * @throws Failure for Ctrl-C, and where the terminal is gone
 */
async function confirm(question: string): Promise<boolean> {
  const { default: ask } = await import('@inquirer/confirm');
  try {
    return await ask({ message: visible(question), default: false }, { output: process.stderr });
  } catch (error) {
    if (error instanceof Error && error.name === 'ExitPromptError')
      throw new Failure('Interrupted: nothing was changed.', EXIT.interrupted);
    throw error;
  }
}
