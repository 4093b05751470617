// Runs command lines of the built muster-admin for admin.ts in one process, because loading the program takes longer
// than most commands. Each command has its own environment and streams.
const { join } = require('node:path');
const { Writable } = require('node:stream');
const { loadPrograms } = require(join(__dirname, '../../dist/src/bundle.js'));

const program = loadPrograms().programs.admin();

process.on('message', ({ id, args, environment }) => {
  const printed = { stdout: '', stderr: '' };
  const collect = (name) =>
    new Writable({
      decodeStrings: false,
      write(text, _, done) {
        printed[name] += text.toString();
        done();
      },
    });
  const terminal = {
    environment,
    output: collect('stdout'),
    errors: collect('stderr'),
  };
  program
    .then(({ run }) => run(args, terminal))
    .then(
      (code) => process.send({ id, ended: { code, ...printed } }),
      (error) => process.send({ id, failure: String(error.stack ?? error) }),
    );
});
process.once('disconnect', () => process.exit());
