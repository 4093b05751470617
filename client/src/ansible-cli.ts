#!/usr/bin/env node
import { run } from './commands/program';

/** `muster-ansible`, which Ansible runs with `--list` or `--host`: `muster ansible`. */
const [node = '', program = '', ...rest] = process.argv;
void run([node, program, 'ansible', ...rest]);
