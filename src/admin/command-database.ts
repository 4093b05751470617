import { type Environment, readEnvironment } from '../config/environment';
import type { Connection } from '../database/connection/connection';
import { openDatabase } from '../database/connection/open-database';
import { printStatus, type Terminal } from './terminal';

/** The open database of a command. */
export interface OpenedDatabase {
  readonly environment: Environment;
  readonly connection: Connection;
  /** The folder for data outside of the database. */
  readonly dataDir: string;
}

/**
 * Runs a command's work on the database of the environment, and closes it afterwards.
 * @param create whether to create the embedded database if it does not exist
 * @throws StartupError if it cannot be opened
 */
export async function withDatabase<T>(
  terminal: Terminal,
  work: (session: OpenedDatabase) => Promise<T>,
  create = false,
): Promise<T> {
  const environment = readEnvironment(terminal.environment);
  const note = (sentence: string) => {
    printStatus(terminal, sentence);
  };
  const database = await openDatabase({ environment, role: 'command', create, log: note });
  try {
    return await work({ environment, connection: database.connection, dataDir: database.dataDir });
  } finally {
    await database.close();
  }
}
