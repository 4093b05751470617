#!/usr/bin/env node
import { run } from './commands/program';

/** `muster`: started by being loaded. */
void run(process.argv);
