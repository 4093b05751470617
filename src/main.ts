import { run } from './server/serve';

/** The entry point of the server. */
run();
