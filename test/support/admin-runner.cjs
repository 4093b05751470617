// Runs command lines of the built muster-admin that admin.ts sends, in one process: loading the program takes longer than
// most commands do. A command gets the environment and the streams that a process of its own would get.
const { join } = require('node:path');
const { Writable } = require('node:stream');
const { run } = require(join(__dirname, '../../dist/src/admin/program.js'));

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
  run(args, terminal).then(
    (code) => process.send({ id, ended: { code, ...printed } }),
    (error) => process.send({ id, failure: String(error.stack ?? error) }),
  );
});
process.once('disconnect', () => process.exit());
