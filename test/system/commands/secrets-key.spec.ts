import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadKeys, loadOrCreateKeys, replaceKeyFile } from '../../../src/access-secrets/key-source';

describe('the key file for access secrets', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'muster-keys-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  const file = () => join(folder, 'secrets.key');
  /** Leaves the draft of a process that was killed before it renamed the file. */
  const leaveDraft = () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    writeFileSync(`${file()}.${String(pid)}`, 'keys');
  };

  it('is written after removing the drafts of killed processes', () => {
    leaveDraft();
    loadOrCreateKeys({}, folder, () => undefined);
    expect(readdirSync(folder)).toEqual(['secrets.key']);
    leaveDraft();
    // The draft of a live process.
    writeFileSync(`${file()}.${String(process.ppid)}`, 'keys');
    replaceKeyFile(file(), [Buffer.alloc(32)]);
    expect(readdirSync(folder).toSorted()).toEqual(['secrets.key', `secrets.key.${String(process.ppid)}`]);
    expect(loadKeys({}, folder)?.keys).toEqual([Buffer.alloc(32).toString('base64')]);
  });

  it('is not created in or read from a folder that other users can write to', () => {
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

  it.each([0o644, 0o620, 0o602])('is not read while other users can access it: mode %o', (mode) => {
    loadOrCreateKeys({}, folder, () => undefined);
    chmodSync(file(), mode);
    expect(() => loadOrCreateKeys({}, folder, () => undefined)).toThrow(
      `Other users may read or change ${file()}: run "chmod g-w,o-rwx ${file()}".`,
    );
    // The group may read it: the service's group, if root owns the file.
    chmodSync(file(), 0o640);
    loadOrCreateKeys({}, folder, () => undefined);
  });

  it.each([0o600, 0o640, 0o440])('keeps its permissions when the keys are replaced: mode %o', (mode) => {
    loadOrCreateKeys({}, folder, () => undefined);
    chmodSync(file(), mode);
    replaceKeyFile(file(), [Buffer.alloc(32)]);
    expect(statSync(file()).mode & 0o777).toBe(mode);
  });

  it('is created in a private folder, while parent folders follow the umask', () => {
    const umask = process.umask(0o022);
    try {
      loadOrCreateKeys({}, join(folder, 'a', 'b'), () => undefined);
      const modeOf = (...names: string[]) => statSync(join(folder, ...names)).mode & 0o777;
      expect([modeOf('a'), modeOf('a', 'b')]).toEqual([0o755, 0o700]);
    } finally {
      process.umask(umask);
    }
  });

  it('is created in a private folder with any umask', () => {
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
