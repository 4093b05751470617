// Loaded into a service through NODE_OPTIONS. On SIGUSR2 it collects garbage and prints a line of JSON: the heap
// size, and the properties of every object. Tests detect memory leaks and prototype pollution with it.
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

/** Set by the first signal: a flag that is set before the service is loaded makes V8 reject its code cache. */
let collectGarbage;
let ordinal = 0;
process.on('SIGUSR2', () => {
  setFlagsFromString('--expose-gc');
  collectGarbage ??= runInNewContext('gc');
  collectGarbage();
  const properties = Object.getOwnPropertyNames(Object.prototype).sort();
  const enumerable = [];
  for (const name in {}) enumerable.push(name);
  const inspected = {
    ordinal: ++ordinal,
    heap_bytes: process.memoryUsage().heapUsed,
    properties,
    enumerable,
  };
  process.stdout.write(`${JSON.stringify({ inspected })}\n`);
});
