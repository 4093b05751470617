import { run } from './commands/program';

/** The `muster` command. */
void run(process.argv);
