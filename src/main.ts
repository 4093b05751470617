import { run } from './serve';

/** The server: started by being loaded. */
run();
