// Runs command lines of the built client for command-runner.ts in one process for all test files, because starting a process
// takes ten times as long as most commands. A run has fresh modules, its own `process` with arguments, environment and streams,
// and its own connections. It gets no signals and no terminal.
const { EventEmitter } = require('node:events');
const { readFileSync } = require('node:fs');
const { createServer } = require('node:http');
const { createRequire } = require('node:module');
const os = require('node:os');
const { dirname, join, resolve } = require('node:path');
const { Readable, Writable } = require('node:stream');
const { json } = require('node:stream/consumers');
const { Script } = require('node:vm');
const undici = require('undici');

const DIST = resolve(__dirname, '../../client/dist');
const PROGRAM = join(DIST, 'commands/program.js');
/** The size of the chunks of standard input, as from a pipe. */
const PIPE_BYTES = 64 * 1024;

/** Modules that each run loads again: the program's own and commander's. */
const isOfRun = (file) => file.startsWith(DIST) || file.includes('/node_modules/commander/');

/** Compiled modules by path. They get the run's own `process`, `fetch` and `import` as parameters. */
const compiled = new Map();
function compile(file) {
  if (!compiled.has(file)) {
    const text = readFileSync(file, 'utf8').replaceAll(/\bimport\(/g, 'importing(');
    const given = '(exports, require, module, __filename, __dirname)';
    const code = `(process, fetch, importing) => function ${given} {${text}\n}`;
    compiled.set(file, new Script(code, { filename: file }).runInThisContext());
  }
  return compiled.get(file);
}

const resolved = new Map();
function resolveFrom(from, name) {
  const key = `${dirname(from)}\0${name}`;
  if (!resolved.has(key)) resolved.set(key, createRequire(from).resolve(name));
  return resolved.get(key);
}

class ClientRun {
  constructor(args, environment, stdin) {
    this.environment = environment;
    this.modules = new Map();
    /** The chunks of both streams, in order. */
    this.printed = [];
    this.dispatchers = [];
    this.fetching = globalThis.fetch;
    const events = new EventEmitter();
    const own = {
      argv: [process.execPath, join(DIST, 'cli.js'), ...args],
      env: { ...environment },
      exitCode: undefined,
      stdin: Readable.from(pieces(stdin)),
      stdout: this.output('stdout'),
      stderr: this.output('stderr'),
      on: events.on.bind(events),
      once: events.once.bind(events),
      off: events.off.bind(events),
      exit: (code) => this.exit(code),
    };
    const descriptors = Object.entries(own).map(([name, value]) => [name, { value, writable: true }]);
    this.process = Object.create(process, Object.fromEntries(descriptors));
  }

  async ended() {
    // Node creates the default dispatcher of `fetch` on first use.
    await globalThis.fetch('data:,');
    const standard = Reflect.get(globalThis, Symbol.for('undici.globalDispatcher.1'));
    this.dispatchers.push(new standard.constructor());
    try {
      return await new Promise((done, failed) => {
        this.finish = done;
        const { run } = this.load(PROGRAM);
        run(this.process.argv).then(() => done(this.result(Number(this.process.exitCode ?? 0))), failed);
      });
    } finally {
      for (const dispatcher of this.dispatchers) await dispatcher.destroy();
    }
  }

  result(code) {
    const textOf = (stream) => {
      const chunks = this.printed.filter(({ name }) => name === stream).map(({ chunk }) => chunk);
      return new TextDecoder().decode(Buffer.concat(chunks));
    };
    return { code, stdout: textOf('stdout'), stderr: textOf('stderr') };
  }

  exit(code = Number(this.process.exitCode ?? 0)) {
    this.finish(this.result(code));
    throw new Error('The program has ended.');
  }

  output(name) {
    return new Writable({
      write: (chunk, _, written) => {
        this.printed.push({ name, chunk });
        written();
      },
    });
  }

  load(file) {
    const known = this.modules.get(file);
    if (known) return known.exports;
    const module = { exports: {} };
    this.modules.set(file, module);
    const require = (name) => this.require(file, name);
    const body = compile(file)(
      this.process,
      (resource, init) => this.fetching(resource, { ...init, dispatcher: this.dispatchers.at(-1) }),
      (name) => Promise.resolve().then(() => require(name)),
    );
    body(module.exports, require, module, file, dirname(file));
    return module.exports;
  }

  require(from, name) {
    if (name === 'node:process') return this.process;
    if (name === 'node:os') return { ...os, homedir: () => this.environment.HOME ?? '' };
    if (name === 'undici') return { ...undici, ...this.ownUndici() };
    const file = resolveFrom(from, name);
    return isOfRun(file) ? this.load(file) : createRequire(from)(name);
  }

  /** Applies undici's process-wide settings to the run only. */
  ownUndici() {
    return {
      setGlobalDispatcher: (dispatcher) => this.dispatchers.push(dispatcher),
      install: () => {
        this.fetching = undici.fetch;
      },
    };
  }
}

function* pieces(bytes) {
  for (let at = 0; at < bytes.length; at += PIPE_BYTES) yield bytes.subarray(at, at + PIPE_BYTES);
}

/** A request is a command, and its response the result. */
const server = createServer((request, response) => {
  const run = async () => {
    const { args, environment, stdin, inOrder } = await json(request);
    const command = new ClientRun(args, environment, Buffer.from(stdin ?? '', 'base64'));
    const ended = await command.ended();
    if (!inOrder) return ended;
    const { code } = ended;
    return { code, printed: command.printed.map(({ name, chunk }) => [name, chunk.toString('base64')]) };
  };
  run().then(
    (ended) => response.end(JSON.stringify(ended)),
    (error) => response.writeHead(500).end(String(error.stack ?? error)),
  );
});
// The caller closes idle connections: a request cannot meet one that is about to be closed.
server.keepAliveTimeout = 0;
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
process.once('disconnect', () => process.exit());
