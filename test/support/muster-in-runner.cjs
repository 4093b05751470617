// Is `muster` in a shell, and runs the command line in client-runner.cjs, at RUNNER: loading the program takes most of the time of
// a command. It does not read its input.
const { request } = require('node:http');

const { RUNNER, ...environment } = process.env;
// The shell may have closed a pipe, as `head` does.
process.stdout.on('error', () => undefined);
const sent = request(RUNNER, { method: 'POST' }, (response) => {
  let text = '';
  response.setEncoding('utf8').on('data', (part) => (text += part));
  response.once('end', () => {
    if (response.statusCode !== 200) throw new Error(text);
    const { code, printed } = JSON.parse(text);
    for (const [name, chunk] of printed) process[name].write(Buffer.from(chunk, 'base64'));
    process.exitCode = code;
  });
});
sent.end(JSON.stringify({ args: process.argv.slice(2), environment, inOrder: true }));
