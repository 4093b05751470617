import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keptKeys, keySource, replaceKeys } from '../../src/config/secrets-key';

describe('the file of the keys for access secrets', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'muster-keys-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  const file = () => join(folder, 'secrets.key');
  /** As a process leaves it that is killed before the file has its name. */
  const leaveDraft = () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    writeFileSync(`${file()}.${String(pid)}`, 'keys');
  };

  it('is all that is left where somebody was killed while writing it', () => {
    leaveDraft();
    keySource({}, folder, () => undefined);
    expect(readdirSync(folder)).toEqual(['secrets.key']);
    leaveDraft();
    // Another that is at it.
    writeFileSync(`${file()}.${String(process.ppid)}`, 'keys');
    replaceKeys(file(), [Buffer.alloc(32)]);
    expect(readdirSync(folder).toSorted()).toEqual(['secrets.key', `secrets.key.${String(process.ppid)}`]);
    expect(keptKeys({}, folder)?.keys).toEqual([Buffer.alloc(32).toString('base64')]);
  });
});
