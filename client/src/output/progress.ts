import type { SingleBar } from 'cli-progress';
import { drawn, say } from './console';

/** Tells a person how far something is that takes its time. */
export interface Progress {
  /** So much is read, in bytes and in lines. */
  at(bytes: number, lines: number): void;
  /** Nothing is read for now: somebody else works. */
  waiting(doing: string): void;
  /** There is nothing more to tell; what comes next begins on a line of its own. */
  end(): void;
}

interface ProgressOptions {
  /** In bytes; undefined where nobody knows. */
  readonly total: number | undefined;
  /** What is done with the lines: `imported`. */
  readonly done: string;
  readonly isQuiet: boolean;
}

/** In milliseconds. */
const SECOND = 1000;
const BETWEEN_LINES = 5 * SECOND;

/** A bar on a terminal; else a line every few seconds; nothing for who wishes it so. */
export async function startProgress(options: ProgressOptions): Promise<Progress> {
  if (options.isQuiet) return { at: () => undefined, waiting: () => undefined, end: () => undefined };
  if (!process.stderr.isTTY) return new PlainProgress(options);
  const { SingleBar } = await import('cli-progress');
  return new Bar(SingleBar, options);
}

class PlainProgress implements Progress {
  private told = Date.now();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: ProgressOptions) {}

  at(bytes: number, lines: number): void {
    this.end();
    if (Date.now() - this.told < BETWEEN_LINES) return;
    this.told = Date.now();
    const { total, done } = this.options;
    const share =
      total === undefined || total === 0 ? '' : ` (${String(Math.floor((100 * bytes) / total))} %)`;
    say(`${done} ${String(lines)} lines${share}`);
  }

  waiting(doing: string): void {
    if (this.timer) return;
    const begun = Date.now();
    this.timer = setInterval(() => {
      say(`${doing}… ${secondsSince(begun)} s`);
    }, 2 * BETWEEN_LINES);
  }

  end(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }
}

class Bar implements Progress {
  private readonly bar: SingleBar;
  private readonly begun = Date.now();
  private isShown = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    Made: typeof SingleBar,
    private readonly options: ProgressOptions,
  ) {
    const { total } = options;
    const known = '{bar} {percentage} % | {lines} lines | {rate}/s{left}';
    this.bar = new Made({
      format: total === undefined ? '{lines} lines | {size} | {rate}/s' : known,
      stream: process.stderr,
      barsize: 30,
      barCompleteChar: '#',
      barIncompleteChar: '-',
      clearOnComplete: true,
      hideCursor: true,
      // Who ends this at Ctrl-C says more than that it has ended.
      gracefulExit: false,
    });
  }

  at(bytes: number, lines: number): void {
    this.unwait();
    const rate = sizeText(bytes / Math.max(0.1, (Date.now() - this.begun) / SECOND));
    const words = { lines: String(lines), size: sizeText(bytes), rate, left: this.left(bytes) };
    drawn(() => {
      this.end();
    });
    if (this.isShown) this.bar.update(bytes, words);
    else this.bar.start(this.options.total ?? 0, bytes, words);
    this.isShown = true;
  }

  waiting(doing: string): void {
    if (this.timer) return;
    this.hide();
    drawn(() => {
      this.end();
    });
    const begun = Date.now();
    const show = () => process.stderr.write(`\r${doing}… ${secondsSince(begun)} s`);
    show();
    this.timer = setInterval(show, SECOND);
  }

  end(): void {
    drawn(undefined);
    this.unwait();
    this.hide();
  }

  /** How long it takes yet, going by what it has taken; nothing as long as that says nothing. */
  private left(bytes: number): string {
    const { total = 0 } = this.options;
    const taken = (Date.now() - this.begun) / SECOND;
    if (bytes === 0 || taken < 1) return '';
    return ` | ${durationText((Math.max(0, total - bytes) * taken) / bytes)} left`;
  }

  private hide(): void {
    if (this.isShown) this.bar.stop();
    this.isShown = false;
  }

  private unwait(): void {
    if (!this.timer) return;
    clearInterval(this.timer);
    this.timer = undefined;
    process.stderr.write('\r\u001b[K');
  }
}

const secondsSince = (begun: number): string => String(Math.round((Date.now() - begun) / SECOND));

/** `12 s`, `3 min 20 s`, `2 h 5 min` */
function durationText(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${String(whole)} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${String(minutes)} min ${String(whole % 60)} s`;
  return `${String(Math.floor(minutes / 60))} h ${String(minutes % 60)} min`;
}

/** `3.4 MB` */
function sizeText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const value = bytes / 1000 ** power;
  return `${power === 0 ? String(Math.round(value)) : value.toFixed(1)} ${units[power] ?? 'B'}`;
}
