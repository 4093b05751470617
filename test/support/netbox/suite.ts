import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Caller } from '../caller';
import { sharedService } from '../service';
import { muster, temporaryFolder, type Ended } from '../shell';
import { smallNetBox, textsOf, type NetBoxLists } from './inventory';
import { NetBoxServer } from './server';

/** For each test of a file: a small NetBox, and an empty project to import it into. */
export class NetBoxSuite {
  private server: NetBoxServer | undefined;
  private caller: Caller | undefined;
  /** Whether a test may have written to the project. Then the next one gets another. */
  private isUsed = true;
  /** Tests change the lists, and then publish them. */
  lists: NetBoxLists = smallNetBox();

  constructor() {
    const app = sharedService();
    beforeAll(async () => {
      this.server = await NetBoxServer.start(new Map());
    });
    afterAll(() => this.netbox.stop());
    beforeEach(async () => {
      this.lists = smallNetBox();
      this.publish();
      this.netbox.reset();
      if (!this.isUsed) return;
      this.caller = await app.project();
      this.isUsed = false;
    });
  }

  get netbox(): NetBoxServer {
    return present(this.server);
  }

  /** The admin of the project. */
  get admin(): Caller {
    this.isUsed = true;
    return present(this.caller);
  }

  publish(): void {
    this.netbox.lists = textsOf(this.lists);
  }

  /** Runs the import. */
  readonly run = (...args: readonly string[]): Promise<Ended> => {
    const caller = args.includes('--print') ? present(this.caller) : this.admin;
    return muster(caller, ['import', '--from', 'netbox', ...args], { env: this.netbox.environment });
  };

  /** The lines that an import would send, by resource. */
  readonly lines = async (...args: readonly string[]): Promise<Record<string, Record<string, unknown>>> => {
    const { stdout, stderr, code } = await this.run('--print', ...args);
    if (code !== 0) throw new Error(stderr);
    const parsed = stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    return Object.fromEntries(parsed.map((line) => [String(line['label'] ?? line['name']), line]));
  };
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the hooks of the suite have not run yet');
  return value;
}

/** The option for a mapping file with this content. */
export function mapped(mapping: string): readonly string[] {
  const file = join(temporaryFolder(), 'map.yaml');
  writeFileSync(file, mapping);
  return ['--mapping', file];
}
