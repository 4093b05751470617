import type { SingleBar } from 'cli-progress';
import { printStatus, setDrawing } from './console';

/** Shows the progress of a long operation. */
export interface Progress {
  /** Sets how many bytes and lines were read. */
  update(bytes: number, lines: number): void;
  /** Shows that the service is working, until the next call. @param activity such as `writing` */
  wait(activity: string): void;
  /** Removes the progress display. */
  end(): void;
}

interface ProgressOptions {
  /** In bytes; undefined if unknown. */
  readonly total: number | undefined;
  /** The participle in front of the number of lines: `imported`. */
  readonly verb: string;
  /** What is counted. Default: `lines`. */
  readonly unit?: string;
  readonly isQuiet: boolean;
}

const SECOND_MS = 1000;
const CLEAR_LINE = '\r\u001b[K';
const LINE_INTERVAL_MS = 5 * SECOND_MS;

/** A progress bar on a terminal; otherwise a line every few seconds; nothing with `--quiet`. */
export async function startProgress(options: ProgressOptions): Promise<Progress> {
  if (options.isQuiet) return { update: () => undefined, wait: () => undefined, end: () => undefined };
  if (!process.stderr.isTTY) return new ProgressLines(options);
  const { SingleBar } = await import('cli-progress');
  return new ProgressBar(SingleBar, options);
}

class ProgressLines implements Progress {
  private printedAt = Date.now();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: ProgressOptions) {}

  update(bytes: number, lines: number): void {
    this.end();
    if (Date.now() - this.printedAt < LINE_INTERVAL_MS) return;
    this.printedAt = Date.now();
    const { total, verb, unit = 'lines' } = this.options;
    const share =
      total === undefined || total === 0 ? '' : ` (${String(Math.floor((100 * bytes) / total))} %)`;
    printStatus(`${verb} ${String(lines)} ${unit}${share}`);
  }

  wait(activity: string): void {
    this.end();
    const startedAt = Date.now();
    this.timer = setInterval(() => {
      printStatus(`${activity}… ${secondsSince(startedAt)} s`);
    }, 2 * LINE_INTERVAL_MS);
  }

  end(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }
}

class ProgressBar implements Progress {
  private readonly bar: SingleBar;
  private readonly startedAt = Date.now();
  private isShown = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    BarClass: typeof SingleBar,
    private readonly options: ProgressOptions,
  ) {
    const { total, unit = 'lines' } = options;
    const known = `{bar} {percentage} % | {lines} ${unit} | {rate}/s{left}`;
    this.bar = new BarClass({
      format: total === undefined ? `{lines} ${unit} | {size} | {rate}/s` : known,
      stream: process.stderr,
      barsize: 30,
      barCompleteChar: '#',
      barIncompleteChar: '-',
      clearOnComplete: true,
      hideCursor: true,
      // Ctrl-C is handled by the command.
      gracefulExit: false,
    });
  }

  update(bytes: number, lines: number): void {
    this.stopWaiting();
    const rate = formatSize(bytes / Math.max(0.1, (Date.now() - this.startedAt) / SECOND_MS));
    const payload = { lines: String(lines), size: formatSize(bytes), rate, left: this.remaining(bytes) };
    setDrawing(() => {
      this.end();
    });
    if (this.isShown) this.bar.update(bytes, payload);
    else this.bar.start(this.options.total ?? 0, bytes, payload);
    this.isShown = true;
  }

  wait(activity: string): void {
    this.stopWaiting();
    const startedAt = Date.now();
    setDrawing(() => {
      this.hideBar();
      process.stderr.write(CLEAR_LINE);
    });
    // A short wait does not replace the bar.
    this.timer = setInterval(() => {
      this.hideBar();
      process.stderr.write(`\r${activity}… ${secondsSince(startedAt)} s`);
    }, SECOND_MS);
  }

  end(): void {
    setDrawing(undefined);
    this.stopWaiting();
    this.hideBar();
  }

  /** The estimated remaining time; empty in the first second. */
  private remaining(bytes: number): string {
    const { total = 0 } = this.options;
    const elapsed = (Date.now() - this.startedAt) / SECOND_MS;
    if (bytes === 0 || elapsed < 1) return '';
    return ` | ${formatDuration((Math.max(0, total - bytes) * elapsed) / bytes)} left`;
  }

  private hideBar(): void {
    if (this.isShown) this.bar.stop();
    this.isShown = false;
  }

  private stopWaiting(): void {
    if (!this.timer) return;
    clearInterval(this.timer);
    this.timer = undefined;
    process.stderr.write(CLEAR_LINE);
  }
}

const secondsSince = (startedAt: number): string => String(Math.round((Date.now() - startedAt) / SECOND_MS));

/** `12 s`, `3 min 20 s`, `2 h 5 min` */
function formatDuration(seconds: number): string {
  const rounded = Math.ceil(seconds);
  if (rounded < 60) return `${String(rounded)} s`;
  const minutes = Math.floor(rounded / 60);
  if (minutes < 60) return `${String(minutes)} min ${String(rounded % 60)} s`;
  return `${String(Math.floor(minutes / 60))} h ${String(minutes % 60)} min`;
}

/** `3.4 MB` */
function formatSize(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const value = bytes / 1000 ** power;
  return `${power === 0 ? String(Math.round(value)) : value.toFixed(1)} ${units[power] ?? 'B'}`;
}
