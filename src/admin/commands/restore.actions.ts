import type { Contents } from '../backup/archive/archive-reader';
import { withArchive } from '../backup/files/backup-source';
import { refuseNewer, restore, type Restored } from '../backup/restore-backup';
import { readEnvironment } from '../../config/environment';
import { createSecretBox, loadKeys, keyFileIn, type KeySource } from '../../access-secrets/key-source';
import { migrations } from '../../migrations';
import { EXIT, type ExitCode } from '../exit-codes';
import { print, printJson, say } from '../output';
import { amount, secondsSince, sumOf } from '../format-quantities';
import { withDatabase } from '../session';
import type { Terminal } from '../terminal';

export interface RestoreOptions {
  readonly replace?: true;
  readonly json?: true;
}

/** @param file `-` for the input */
export async function restoreBackup(
  terminal: Terminal,
  file: string,
  { replace, json }: RestoreOptions,
): Promise<ExitCode> {
  const began = Date.now();
  // Before a database is made for what may turn out to be none.
  readEnvironment(terminal.environment);
  await withArchive(file === '-' ? terminal.input : file, async (archive) => {
    const contents = await archive.check();
    refuseNewer(
      contents.manifest,
      migrations.map(({ name }) => name),
    );
    await withDatabase(
      terminal,
      async ({ environment, connection, dataDir }) => {
        const note = (sentence: string) => {
          say(terminal, sentence);
        };
        const restored = await restore(archive, contents, { connection, replace: replace === true, note });
        const secrets = secretsOf(restored, loadKeys(environment, dataDir));
        if (json) printJson(terminal, reportOf(contents, restored, secrets, began));
        else print(terminal, lineOf(contents, restored, began));
        const warning = warningOf(secrets, environment.SECRETS_KEY, dataDir);
        if (warning !== undefined) say(terminal, warning);
      },
      true,
    );
  });
  return EXIT.done;
}

/** How many secrets there are, and how many of them the deployment's keys open; undefined: it has none yet. */
interface Secrets {
  readonly all: number;
  readonly opened: number | undefined;
}

function secretsOf({ sealed }: Restored, keys: KeySource | undefined): Secrets {
  const opened =
    keys && createSecretBox(keys).fingerprints.map((fingerprint) => sealed.get(fingerprint) ?? 0);
  return { all: sumOf(sealed.values()), opened: opened && sumOf(opened) };
}

/** A key that is missing is looked for now, and not when a secret is needed. */
function warningOf(
  { all, opened }: Secrets,
  configured: string | undefined,
  dataDir: string,
): string | undefined {
  const lost = all - (opened ?? 0);
  if (lost === 0) return undefined;
  const place = configured === undefined ? keyFileIn(dataDir) : 'SECRETS_KEY';
  const why =
    opened === undefined
      ? `there is no key yet in ${place}`
      : `they were sealed with a key that is not in ${place}`;
  const remedy =
    configured === undefined
      ? 'put the key of the deployment that was backed up into that file, or set SECRETS_KEY to it'
      : 'set SECRETS_KEY, or SECRETS_KEY_OTHERS, to the key of the deployment that was backed up';
  return `Access secrets that cannot be opened: ${String(lost)}, for ${why}. To open them, ${remedy}.`;
}

const lineOf = ({ manifest }: Contents, { rows, tables, migrated }: Restored, began: number): string =>
  `restored: ${amount(rows, 'row')} of ${amount(tables, 'table')}, in ${secondsSince(began)} s, as of ${manifest.created_at}` +
  (migrated.length === 0 ? '' : `, and migrated: ${migrated.join(', ')}`);

const reportOf = (
  { manifest, end }: Contents,
  { rows, migrated }: Restored,
  { all, opened }: Secrets,
  began: number,
) => ({
  created_at: manifest.created_at,
  muster: manifest.muster,
  rows,
  tables: end.rows,
  migrated,
  secrets: { sealed: all, opened: opened ?? null },
  seconds: Number(secondsSince(began)),
});
