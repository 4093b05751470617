#!/usr/bin/env node
import { run } from './commands/program';

/** `muster-admin`: started by being loaded. */
run();
