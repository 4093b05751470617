import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { processIdentity } from '../../database/embedded/processes';
import { Spool } from './line-file';

/** The prefix of the temporary directories of imports. */
export const FOLDER = 'muster-import-';
/** The file in a directory that identifies its import. */
export const OWNER = 'import.json';

/** The process and the request that use a directory. It is stored as JSON. */
export interface Owner {
  readonly pid: number;
  /** Identifies the process, because pids are reused. */
  readonly process: string;
  readonly project: string;
  readonly request: string;
  /** The start of the import, in milliseconds since the epoch. */
  readonly begun: number;
}

/** The temporary directory of one import. It is removed at the end of the import. */
export class Workspace {
  private readonly files: Spool[] = [];

  private constructor(private readonly path: string) {}

  /**
   * Runs work with a new directory. It is removed if the work fails; otherwise the caller removes it after reading the
   * results.
   */
  static async within<T>(
    request: Pick<Owner, 'project' | 'request'>,
    work: (tempDir: Workspace) => Promise<T>,
  ): Promise<{ readonly result: T; readonly tempDir: Workspace }> {
    const tempDir = new Workspace(await mkdtemp(join(tmpdir(), FOLDER)));
    try {
      const owner: Owner = {
        ...request,
        pid: process.pid,
        process: processIdentity(process.pid) ?? '',
        begun: Date.now(),
      };
      await writeFile(join(tempDir.path, OWNER), JSON.stringify(owner), { mode: 0o600 });
      return { result: await work(tempDir), tempDir };
    } catch (error) {
      await tempDir.remove();
      throw error;
    }
  }

  async spool(name: string): Promise<Spool> {
    const file = await Spool.create(join(this.path, name));
    this.files.push(file);
    return file;
  }

  async remove(): Promise<void> {
    for (const file of this.files) await file.close();
    await rm(this.path, { recursive: true, force: true });
  }
}
