import { lstat, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { isSameProcess, processIdentity } from '../../database/embedded/processes';
import { LineFile } from './line-file';
import { isNativeError } from 'node:util/types';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { isObject } from '../../core/context/variable-keys';
import { parseUuid } from '../../core/parameters';
import { Database } from '../../database/database';
import { sql } from '../../database/sql';

/** The prefix of the temporary directories of imports. */
export const TEMP_DIR_PREFIX = 'muster-import-';
/** The file in a directory that identifies its import. */
export const OWNER_FILE = 'import.json';

/** The process and the request that use a directory. It is stored as JSON. */
export interface TempDirOwner {
  readonly pid: number;
  /** Identifies the process, because pids are reused. */
  readonly process: string;
  readonly project: string;
  readonly request: string;
  /** The start of the import, in milliseconds since the epoch. */
  readonly begun: number;
}

/** The temporary directory of one import. It is removed at the end of the import. */
export class ImportTempDir {
  private readonly files: LineFile[] = [];

  private constructor(private readonly path: string) {}

  /**
   * Runs work with a new directory. It is removed if the work fails; otherwise the caller removes it after reading the
   * results.
   */
  static async run<T>(
    request: Pick<TempDirOwner, 'project' | 'request'>,
    work: (tempDir: ImportTempDir) => Promise<T>,
  ): Promise<{ readonly result: T; readonly tempDir: ImportTempDir }> {
    const tempDir = new ImportTempDir(await mkdtemp(join(tmpdir(), TEMP_DIR_PREFIX)));
    try {
      const owner: TempDirOwner = {
        ...request,
        pid: process.pid,
        process: processIdentity(process.pid) ?? '',
        begun: Date.now(),
      };
      await writeFile(join(tempDir.path, OWNER_FILE), JSON.stringify(owner), { mode: 0o600 });
      return { result: await work(tempDir), tempDir };
    } catch (error) {
      await tempDir.remove();
      throw error;
    }
  }

  async createFile(name: string): Promise<LineFile> {
    const file = await LineFile.create(join(this.path, name));
    this.files.push(file);
    return file;
  }

  async remove(): Promise<void> {
    for (const file of this.files) await file.close();
    await rm(this.path, { recursive: true, force: true });
  }
}

/** The accepted difference between the clocks of the service and the database. */
const CLOCK_TOLERANCE = sql`interval '1 minute'`;

/**
 * Removes temporary directories of imports whose process was killed, at the start of the service. It logs for each
 * whether the import was committed.
 */
@Injectable()
export class StaleImportCleanup implements OnApplicationBootstrap {
  private readonly log = new Logger('Import');

  constructor(private readonly database: Database) {}

  async onApplicationBootstrap(): Promise<void> {
    const names = await readdir(tmpdir());
    for (const name of names.filter((file) => file.startsWith(TEMP_DIR_PREFIX)))
      await this.cleanUp(join(tmpdir(), name));
  }

  private async cleanUp(directory: string): Promise<void> {
    const owner = await readOwner(directory);
    if (!owner || isSameProcess(owner.pid, owner.process)) return;
    const outcome = await this.describeOutcome(owner);
    // The project is in another database, whose own service cleans up.
    if (outcome === undefined) return;
    await rm(directory, { recursive: true, force: true });
    this.log.warn(`${outcome} (request ${owner.request}, started ${new Date(owner.begun).toISOString()}).`);
  }

  private async describeOutcome({ project, request, begun }: TempDirOwner): Promise<string | undefined> {
    const [found] = await this.database.rows(sql`SELECT 1 FROM projects WHERE id = ${project}::uuid`);
    if (!found) return undefined;
    const [row] = await this.database.rows<{ change: number | null }>(sql`
      SELECT max(id) AS change FROM changes WHERE project_id = ${project}::uuid AND request_id = ${request}
        AND created_at >= to_timestamp(${begun / 1000}::float8) - ${CLOCK_TOLERANCE}`);
    const change = row?.change ?? null;
    return change === null
      ? 'An import was interrupted: nothing was imported'
      : `An import was interrupted after it was committed as change ${String(change)}`;
  }
}

/** Undefined if the directory belongs to another user, has no valid owner file, or was removed concurrently. */
async function readOwner(directory: string): Promise<TempDirOwner | undefined> {
  try {
    const { uid } = await lstat(directory);
    if (process.getuid && uid !== process.getuid()) return undefined;
    const owner: unknown = JSON.parse(await readFile(join(directory, OWNER_FILE), 'utf8'));
    return isOwner(owner) ? owner : undefined;
  } catch (error) {
    // The process was killed while it wrote the file, before it staged any line.
    if (error instanceof SyntaxError) return undefined;
    // `instanceof` fails under a test runner, where errors of Node belong to another realm.
    if (isNativeError(error) && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

const isOwner = (value: unknown): value is TempDirOwner =>
  isObject(value) &&
  typeof value.process === 'string' &&
  typeof value.project === 'string' &&
  parseUuid(value.project) !== undefined &&
  typeof value.request === 'string' &&
  [value.pid, value.begun].every(Number.isFinite);
