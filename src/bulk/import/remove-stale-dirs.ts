import { lstat, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isNativeError } from 'node:util/types';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { isObject } from '../../core/context/variable-key';
import { parseUuid } from '../../core/parse-id';
import { Database } from '../../database/database';
import { isSameProcess } from '../../database/embedded/processes';
import { sql } from '../../database/sql';
import { FOLDER, OWNER, type Owner } from './temp-dir';

/** The clocks of the service and of the database may differ by so much. */
const CLOCKS = sql`interval '1 minute'`;

/**
 * Removes what imports have left whose process was killed, and says of each what came of it: the transaction knows,
 * which is all or nothing.
 */
@Injectable()
export class Leftovers implements OnApplicationBootstrap {
  private readonly log = new Logger('Import');

  constructor(private readonly database: Database) {}

  async onApplicationBootstrap(): Promise<void> {
    const names = await readdir(tmpdir());
    for (const name of names.filter((one) => one.startsWith(FOLDER))) await this.look(join(tmpdir(), name));
  }

  private async look(folder: string): Promise<void> {
    const whose = await ownerOf(folder);
    if (!whose || isSameProcess(whose.pid, whose.process)) return;
    const said = await this.whatCameOf(whose);
    // Of another database: its own service will know.
    if (said === undefined) return;
    await rm(folder, { recursive: true, force: true });
    this.log.warn(`${said} (request ${whose.request}, begun ${new Date(whose.begun).toISOString()}).`);
  }

  private async whatCameOf({ project, request, begun }: Owner): Promise<string | undefined> {
    const [row] = await this.database.rows<{ change: number | null }>(sql`
      SELECT (SELECT max(c.id) FROM changes c WHERE c.project_id = p.id AND c.request_id = ${request}
        AND c.created_at >= to_timestamp(${begun / 1000}::float8) - ${CLOCKS}) AS change
      FROM projects p WHERE p.id = ${project}::uuid`);
    if (!row) return undefined;
    return row.change === null
      ? 'An import was cut off: nothing of it was written'
      : `An import was cut off when it was written already, as the change ${String(row.change)}`;
  }
}

/** Whose a folder is; undefined if it is none of this user's, or if somebody else removes it right now. */
async function ownerOf(folder: string): Promise<Owner | undefined> {
  try {
    const { uid } = await lstat(folder);
    if (process.getuid && uid !== process.getuid()) return undefined;
    const owner: unknown = JSON.parse(await readFile(join(folder, OWNER), 'utf8'));
    return isOwner(owner) ? owner : undefined;
  } catch (error) {
    // The process was killed while it wrote the file: it has not staged anything.
    if (error instanceof SyntaxError) return undefined;
    // Not `instanceof`: node's own errors are of another realm under a test runner.
    if (isNativeError(error) && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

const isOwner = (value: unknown): value is Owner =>
  isObject(value) &&
  typeof value.process === 'string' &&
  typeof value.project === 'string' &&
  parseUuid(value.project) !== undefined &&
  typeof value.request === 'string' &&
  [value.pid, value.begun].every(Number.isFinite);
