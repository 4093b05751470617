import { run } from './commands/program';

/** The `muster-ansible` command: `muster ansible`, which Ansible calls with `--list` or `--host`. */
const [node = '', program = '', ...rest] = process.argv;
void run([node, program, 'ansible', ...rest]);
