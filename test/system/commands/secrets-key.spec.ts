import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadKeys, loadOrCreateKeys, replaceKeyFile } from '../../../src/access-secrets/key-source';

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
    loadOrCreateKeys({}, folder, () => undefined);
    expect(readdirSync(folder)).toEqual(['secrets.key']);
    leaveDraft();
    // Another that is at it.
    writeFileSync(`${file()}.${String(process.ppid)}`, 'keys');
    replaceKeyFile(file(), [Buffer.alloc(32)]);
    expect(readdirSync(folder).toSorted()).toEqual(['secrets.key', `secrets.key.${String(process.ppid)}`]);
    expect(loadKeys({}, folder)?.keys).toEqual([Buffer.alloc(32).toString('base64')]);
  });

  it('is not made in, or read from, a folder that others may write to', () => {
    chmodSync(folder, 0o770);
    expect(() => loadOrCreateKeys({}, folder, () => undefined)).toThrow(`run "chmod go-w ${folder}"`);
    expect(readdirSync(folder)).toEqual([]);
    chmodSync(folder, 0o700);
    const { keys } = loadOrCreateKeys({}, folder, () => undefined);
    chmodSync(folder, 0o707);
    expect(() => loadOrCreateKeys({}, folder, () => undefined)).toThrow(`run "chmod go-w ${folder}"`);
    chmodSync(folder, 0o755);
    expect(loadOrCreateKeys({}, folder, () => undefined).keys).toEqual(keys);
  });

  it.each([0o644, 0o620, 0o602])('is not read while others may use it: mode %o', (mode) => {
    loadOrCreateKeys({}, folder, () => undefined);
    chmodSync(file(), mode);
    expect(() => loadOrCreateKeys({}, folder, () => undefined)).toThrow(
      `Other users may read or change ${file()}: run "chmod g-w,o-rwx ${file()}".`,
    );
    // A group may read it: that of a service whose key belongs to root.
    chmodSync(file(), 0o640);
    loadOrCreateKeys({}, folder, () => undefined);
  });

  it.each([0o600, 0o640, 0o440])('keeps its permissions when the keys are replaced: mode %o', (mode) => {
    loadOrCreateKeys({}, folder, () => undefined);
    chmodSync(file(), mode);
    replaceKeyFile(file(), [Buffer.alloc(32)]);
    expect(statSync(file()).mode & 0o777).toBe(mode);
  });

  it('is made in a private folder, while folders above it follow the umask', () => {
    const umask = process.umask(0o022);
    try {
      loadOrCreateKeys({}, join(folder, 'a', 'b'), () => undefined);
      const modeOf = (...names: string[]) => statSync(join(folder, ...names)).mode & 0o777;
      expect([modeOf('a'), modeOf('a', 'b')]).toEqual([0o755, 0o700]);
    } finally {
      process.umask(umask);
    }
  });

  it('is made in a folder that nobody else may write to, whatever the umask', () => {
    const umask = process.umask(0);
    try {
      const made = join(folder, 'a', 'b');
      loadOrCreateKeys({}, made, () => undefined);
      expect(statSync(made).mode & 0o777).toBe(0o700);
    } finally {
      process.umask(umask);
    }
  });
});
