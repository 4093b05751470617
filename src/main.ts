import { run } from './server/serve';

/** The server: started by being loaded. */
run();
