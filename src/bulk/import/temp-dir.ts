import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { processIdentity } from '../../database/embedded/processes';
import { Spool } from './line-file';

/** What the folder of an import begins with. */
export const FOLDER = 'muster-import-';
/** The file in it that tells whose it is. */
export const OWNER = 'import.json';

/** Whose a folder is. */
export interface Owner {
  readonly pid: number;
  /** What tells the process from every other of this number. */
  readonly process: string;
  readonly project: string;
  readonly request: string;
  /** When it began: milliseconds since 1970. */
  readonly begun: number;
}

/** The folder of one import. What is in it is gone when the import has ended, however it did. */
export class Workspace {
  private readonly spools: Spool[] = [];

  private constructor(private readonly folder: string) {}

  /** Does work in a folder of its own, which is removed afterwards. */
  static async within<T>(
    of: Pick<Owner, 'project' | 'request'>,
    work: (workspace: Workspace) => Promise<T>,
  ): Promise<{ readonly result: T; readonly workspace: Workspace }> {
    const workspace = new Workspace(await mkdtemp(join(tmpdir(), FOLDER)));
    try {
      const owner: Owner = {
        ...of,
        pid: process.pid,
        process: processIdentity(process.pid) ?? '',
        begun: Date.now(),
      };
      await writeFile(join(workspace.folder, OWNER), JSON.stringify(owner), { mode: 0o600 });
      return { result: await work(workspace), workspace };
    } catch (error) {
      await workspace.remove();
      throw error;
    }
  }

  async spool(name: string): Promise<Spool> {
    const spool = await Spool.create(join(this.folder, name));
    this.spools.push(spool);
    return spool;
  }

  async remove(): Promise<void> {
    for (const spool of this.spools) await spool.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}
