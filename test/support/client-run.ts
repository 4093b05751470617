import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import { dirname, resolve } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { Script } from 'node:vm';
import undici from 'undici';

/** What a command has printed, and how it ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The environment and the input of a run. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: string | Buffer | undefined;
}

type Dispatcher = NonNullable<RequestInit['dispatcher']>;
/** The body of a module: first what is its own instead of the process's, then what Node gives every module. */
type Body = (
  process: NodeJS.Process,
  fetch: typeof globalThis.fetch,
  importing: (name: string) => Promise<unknown>,
) => (
  exports: unknown,
  require: (name: string) => unknown,
  module: Module,
  filename: string,
  folder: string,
) => void;

interface Module {
  exports: unknown;
}

const PROGRAM = resolve(__dirname, '../../dist/src/client/commands/program.js');
/** As much of its input a program gets at once from a pipe. */
const AT_ONCE = 64 * 1024;

/** Modules that a run has of its own: the program's, and those of the library that prints for it. */
const isOfRun = (file: string): boolean =>
  file.startsWith(resolve(__dirname, '../../dist/src')) || file.includes('/node_modules/commander/');

const bodies = new Map<string, Body>();
const files = new Map<string, string>();

/** A module as it was built, compiled once for all runs. */
function bodyOf(file: string): Body {
  const known = bodies.get(file);
  if (known) return known;
  const text = readFileSync(file, 'utf8').replaceAll(/\bimport\(/g, 'importing(');
  const given = '(exports, require, module, __filename, __dirname)';
  const code = `(process, fetch, importing) => function ${given} {${text}\n}`;
  const script = new Script(code, { filename: file });
  const body = script.runInThisContext() as Body;
  bodies.set(file, body);
  return body;
}

function fileOf(from: string, name: string): string {
  const key = `${dirname(from)}\0${name}`;
  const file = files.get(key) ?? createRequire(from).resolve(name);
  files.set(key, file);
  return file;
}

/**
 * A run of the built client in this process, which takes a tenth of what a process of its own does. It has what a process
 * has: modules of its own, a `process` with its arguments, environment and streams, and connections that end with it.
 * It has no signals and no terminal, and shares the current folder.
 */
export class ClientRun {
  private readonly modules = new Map<string, Module>();
  private readonly printed: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] };
  private readonly process: NodeJS.Process;
  private readonly dispatchers: Dispatcher[] = [];
  private fetching = globalThis.fetch;
  private finish: (ended: Ended) => void = () => undefined;

  constructor(
    args: readonly string[],
    private readonly surroundings: Surroundings,
  ) {
    const events = new EventEmitter();
    const own = {
      argv: [process.execPath, resolve(PROGRAM, '../../cli.js'), ...args],
      env: { ...surroundings.env },
      exitCode: undefined,
      stdin: Readable.from(piecesOf(Buffer.from(surroundings.stdin ?? ''))),
      stdout: this.output('stdout'),
      stderr: this.output('stderr'),
      on: events.on.bind(events),
      once: events.once.bind(events),
      off: events.off.bind(events),
      exit: (code?: number) => this.exit(code),
    };
    const descriptors = Object.entries(own).map(([name, value]) => [name, { value, writable: true }]);
    this.process = Object.create(process, Object.fromEntries(descriptors)) as NodeJS.Process;
  }

  /** Runs it to its end. */
  async ended(): Promise<Ended> {
    // Node makes what its `fetch` sends requests with when that is first used.
    await globalThis.fetch('data:,');
    const standard = Reflect.get(globalThis, Symbol.for('undici.globalDispatcher.1')) as Dispatcher;
    this.dispatchers.push(new (standard.constructor as new () => Dispatcher)());
    try {
      return await new Promise((done, failed) => {
        this.finish = done;
        const { run } = this.load(PROGRAM) as typeof import('../../src/client/commands/program');
        run(this.process.argv).then(() => this.finish(this.end(Number(this.process.exitCode ?? 0))), failed);
      });
    } finally {
      for (const dispatcher of this.dispatchers) await dispatcher.destroy();
    }
  }

  private end(code: number): Ended {
    const textOf = (pieces: readonly Buffer[]) => new TextDecoder().decode(Buffer.concat(pieces));
    return { code, stdout: textOf(this.printed.stdout), stderr: textOf(this.printed.stderr) };
  }

  /** What comes after it is not heard any more. */
  private exit(code = Number(this.process.exitCode ?? 0)): never {
    this.finish(this.end(code));
    throw new Error('The program has ended.');
  }

  private output(name: 'stdout' | 'stderr'): Writable {
    return new Writable({
      write: (piece: Buffer, _, written) => {
        this.printed[name].push(piece);
        written();
      },
    });
  }

  private load(file: string): unknown {
    const known = this.modules.get(file);
    if (known) return known.exports;
    const module: Module = { exports: {} };
    this.modules.set(file, module);
    const require = (name: string) => this.require(file, name);
    const body = bodyOf(file)(
      this.process,
      (resource, init) => this.fetch(resource, init),
      (name) => Promise.resolve().then(() => require(name)),
    );
    body(module.exports, require, module, file, dirname(file));
    return module.exports;
  }

  private require(from: string, name: string): unknown {
    if (name === 'node:process') return this.process;
    if (name === 'node:os') return { ...os, homedir: () => this.surroundings.env['HOME'] ?? '' };
    if (name === 'undici') return { ...undici, ...this.ownUndici() };
    const file = fileOf(from, name);
    return isOfRun(file) ? this.load(file) : createRequire(from)(name);
  }

  private fetch(
    ...[resource, init]: Parameters<typeof globalThis.fetch>
  ): ReturnType<typeof globalThis.fetch> {
    return this.fetching(resource, { ...init, dispatcher: this.dispatchers.at(-1)! });
  }

  /** What a program sets for its process, set for the run. */
  private ownUndici() {
    return {
      setGlobalDispatcher: (dispatcher: Dispatcher) => this.dispatchers.push(dispatcher),
      install: () => {
        this.fetching = undici.fetch as unknown as typeof globalThis.fetch;
      },
    };
  }
}

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += AT_ONCE) yield bytes.subarray(at, at + AT_ONCE);
}
