import { spawn } from 'node:child_process';
import { join } from 'node:path';
import {} from '../embedded/processes';
import { Program } from '../../support/program';
import { Caller, type Credentials } from '../../support/caller';

/** The built service of a project's folder, started on a database that nobody has used yet. */
export class BuiltService extends Program {
  constructor(folder: string, databaseUrl: string) {
    super(
      spawn(process.execPath, [join(folder, 'dist/src/main.js')], {
        cwd: folder,
        env: {
          PATH: process.env.PATH,
          PORT: '0',
          SECRETS_KEY: Buffer.alloc(32).toString('base64'),
          DATABASE_URL: databaseUrl,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
  }

  /** The address that it says it serves on. */
  url(): Promise<string> {
    const find = (line: string) => /serving on (http:\S+)/.exec(line)?.[1];
    return this.line(find, 'the address', this.errorLines);
  }

  /** The credentials that the first start prints. */
  async credentials(): Promise<Credentials> {
    const printed = (name: string) =>
      this.line((line) => new RegExp(`^${name}: (\\S+)$`).exec(line)?.[1], `the ${name}`);
    return {
      project: await printed('project'),
      user: await printed('username'),
      token: await printed('api key'),
    };
  }

  async root(): Promise<Caller> {
    return new Caller(await this.url(), await this.credentials());
  }
}
