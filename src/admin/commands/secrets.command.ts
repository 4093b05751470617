import { Command } from 'commander';
import {
  type CommandAction,
  EXIT,
  type ExitCode,
  type Terminal,
  print,
  printJson,
  printTable,
  printStatus,
} from '../terminal';
import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { SecretRotation, type Resealed, type SealedWith } from '../../access-secrets/secret-rotation';
import { createSecretBox, loadKeys, replaceKeyFile, type KeySource } from '../../access-secrets/key-source';
import { StartupError } from '../../core/errors';
import { Database } from '../../database/database';
import { withAdvisoryLock } from '../../database/connection/owner-connection';
import { fingerprintOf, KEY_RELOAD_INTERVAL_MS, type SecretKeys } from '../../core/secret-box';
import { withDatabase, type OpenedDatabase } from '../command-database';
import { withServices } from '../command-services';
import { sql } from '../../database/sql';

const ROTATE_HELP = `
With SECRETS_KEY, data that is encrypted with a key of SECRETS_KEY_OTHERS is re-encrypted with SECRETS_KEY. If the key is
stored in DATA_DIR, a new one is created first. The former key stays in the file, for decryption, until "muster-admin
secrets forget". Secrets in the legacy format (see "status") are converted to the current one. The service can run. An
interrupted rotation can be repeated. The exit code is 1 if something cannot be decrypted by any key.
Earlier backups require the former key: keep a copy of it for as long as you keep them.`;

const FORGET_HELP = `
Backups from before the rotation require the removed key: first store a copy of it in another place, for as long as you
keep these backups.`;

/** `muster-admin secrets` */
export function configure(command: Command, perform: CommandAction): void {
  const run =
    (work: (terminal: Terminal, options: SecretsOptions) => Promise<ExitCode>) => (options: SecretsOptions) =>
      perform((terminal) => work(terminal, options));
  command
    .addCommand(
      new Command('status')
        .description('Shows how much is encrypted with which key, and how much in the legacy format.')
        .option('--json', 'print JSON')
        .action(run(status)),
    )
    .addCommand(
      new Command('rotate')
        .description('Re-encrypts everything with the newest key.')
        .option('--json', 'print JSON')
        .addHelpText('after', ROTATE_HELP)
        .action(run(rotate)),
    )
    .addCommand(
      new Command('forget')
        .description('Removes unused former keys from the file in DATA_DIR.')
        .option('--json', 'print JSON')
        .addHelpText('after', FORGET_HELP)
        .action(run(forget)),
    );
}

interface SecretsOptions {
  readonly json?: true;
}

/** The advisory lock of key rotations. Every version of Muster uses the same number. */
const ROTATION_LOCK = 7_780_001;

function keysOf({ environment, dataDir }: OpenedDatabase): KeySource {
  const source = loadKeys(environment, dataDir);
  if (source) return source;
  throw new StartupError(
    `There is no key for access secrets: SECRETS_KEY is not set, and ${dataDir} has none.`,
  );
}

/** Prints the numbers of encrypted rows for each key. */
function status(terminal: Terminal, { json }: SecretsOptions): Promise<ExitCode> {
  return withDatabase(terminal, async (session) => {
    const source = keysOf(session);
    return withServices(session, async (services) => {
      const rotation = new SecretRotation(services.get(Database), createSecretBox(source));
      const keys = statusOf(source, await rotation.counts());
      if (json) printJson(terminal, { keys });
      else
        printTable(
          terminal,
          ['KEY', 'IS', 'SECRETS', 'LEGACY FORMAT', 'STORED RESPONSES'],
          keys.map(({ fingerprint, is, secrets, legacy_format, answers }) => [
            fingerprint,
            is,
            ...[secrets, legacy_format, answers].map(String),
          ]),
        );
      return EXIT.done;
    });
  });
}

/** All available keys, and missing keys with which rows are encrypted. */
function statusOf(source: KeySource, counts: readonly SealedWith[]) {
  const known = createSecretBox(source).fingerprints;
  const newest = createSecretBox(source).fingerprint;
  const lost = counts
    .map(({ fingerprint }) => fingerprint)
    .filter((fingerprint) => !known.includes(fingerprint));
  return [...known, ...lost].map((fingerprint) => {
    const count = counts.find((other) => other.fingerprint === fingerprint);
    const { secrets = 0, legacy_format = 0, answers = 0 } = count ?? {};
    const is =
      fingerprint === newest ? 'encrypting' : known.includes(fingerprint) ? 'decrypting' : 'not here';
    return { fingerprint, is, secrets, legacy_format, answers };
  });
}

/** Runs work that changes keys. Only one such command runs at a time. */
const withKeys = (
  terminal: Terminal,
  work: (source: KeySource, database: Database) => Promise<ExitCode>,
): Promise<ExitCode> =>
  withDatabase(terminal, (session) =>
    withAdvisoryLock(
      session.connection,
      ROTATION_LOCK,
      'Another "muster-admin secrets" command is running.',
      () => withServices(session, (services) => work(keysOf(session), services.get(Database))),
    ),
  );

/** Re-encrypts everything with the newest key. The exit code says whether everything could be decrypted. */
function rotate(terminal: Terminal, { json }: SecretsOptions): Promise<ExitCode> {
  return withKeys(terminal, async (source, database) => {
    const { used, resealed } = await rotateKeys(
      source,
      (keys) => new SecretRotation(database, createSecretBox(keys)),
    );
    const { secrets, answers, unreadable } = resealed;
    const key = createSecretBox(used).fingerprint;
    if (json) printJson(terminal, { key, re_encrypted: { secrets, answers, unreadable } });
    else
      print(
        terminal,
        `key: ${key}`,
        `secrets re-encrypted: ${String(secrets)}`,
        `stored responses re-encrypted: ${String(answers)}`,
        ...(used.keys.length > 1 ? [formerKeyNote(used)] : []),
      );
    if (unreadable === 0) return EXIT.done;
    printStatus(
      terminal,
      `${String(unreadable)} cannot be decrypted by any available key, and were not changed.`,
    );
    return EXIT.failed;
  });
}

/** Printed while the former key can still be read. */
const formerKeyNote = ({ file }: KeySource): string =>
  `note: earlier backups require the former key: keep a copy of ${file ?? 'SECRETS_KEY_OTHERS'} for as long as you keep them`;

/**
 * Re-encrypts everything with the newest key. If the keys are in a file, it first creates a new key, unless an earlier
 * rotation was interrupted, so that rows still use a former key. Unreadable rows do not prevent a new key.
 */
async function rotateKeys(
  source: KeySource,
  rotation: (source: KeySource) => SecretRotation,
): Promise<{ readonly used: KeySource; readonly resealed: Resealed }> {
  const { keys, file } = source;
  const remaining = await rotation(source).reseal();
  if (file === undefined || remaining.fromOtherKeys > 0) return { used: source, resealed: remaining };
  const newKey = randomBytes(32);
  replaceKeyFile(file, [newKey, ...keys.map((key) => Buffer.from(key, 'base64'))]);
  const used = { keys: [newKey.toString('base64'), ...keys], file };
  return { used, resealed: await rotation(used).reseal() };
}

/** Removes unused former keys from their file. */
function forget(terminal: Terminal, { json }: SecretsOptions): Promise<ExitCode> {
  return withKeys(terminal, async (source, database) => {
    if (source.file === undefined)
      throw new StartupError(
        'The keys are set in the environment: remove former keys from SECRETS_KEY_OTHERS.',
      );
    await waitForPendingWrites(database, source.file);
    const counts = await new SecretRotation(database, createSecretBox(source)).counts();
    const [first, ...others] = source.keys.map((key) => Buffer.from(key, 'base64'));
    if (!first) throw new StartupError('The key file contains no key.');
    const used = new Set(counts.map(({ fingerprint }) => fingerprint));
    const remaining: SecretKeys = [first, ...others.filter((key) => used.has(fingerprintOf(key)))];
    const forgotten = others.filter((key) => !remaining.includes(key)).map(fingerprintOf);
    if (forgotten.length > 0) replaceKeyFile(source.file, remaining);
    if (json) printJson(terminal, { forgotten });
    else if (forgotten.length === 0) print(terminal, 'There are no unused keys.');
    else
      print(
        terminal,
        ...forgotten.map((key) => `forgotten: ${key}`),
        'note: backups from before the rotation require a copy of the forgotten keys',
      );
    return EXIT.done;
  });
}

/** Longer than the timeout of a request's transaction. */
const PENDING_WRITES_TIMEOUT_MS = 150_000;

/**
 * Waits for transactions that can have encrypted rows with a former key. Uncommitted rows are not counted, and could
 * not be decrypted after the key is removed.
 * @throws StartupError if a transaction takes too long
 */
async function waitForPendingWrites(database: Database, file: string): Promise<void> {
  // Processes read the file again before they encrypt, but at most at this interval.
  const unseen = statSync(file).mtimeMs + 2 * KEY_RELOAD_INTERVAL_MS - Date.now();
  await delay(Math.min(Math.max(unseen, 0), 2 * KEY_RELOAD_INTERVAL_MS));
  if (await earlierTransactionsEnded(database, PENDING_WRITES_TIMEOUT_MS)) return;
  throw new StartupError(
    'Timed out waiting for a transaction that may have encrypted data with a former key, such as an import. No key was removed. Retry later.',
  );
}

const POLL_INTERVAL_MS = 200;

/**
 * Waits until all transactions that are open now have ended, whether they have written or not.
 *
 * Each transaction holds a lock on its virtual transaction id, for which `CREATE INDEX CONCURRENTLY` waits, too:
 * https://www.postgresql.org/docs/current/view-pg-locks.html. This includes all databases of the server.
 * @param timeoutMs how long to wait
 * @returns whether all have ended
 */
async function earlierTransactionsEnded(database: Database, timeoutMs: number): Promise<boolean> {
  const until = performance.now() + timeoutMs;
  let open = await openTransactions(database);
  while (open.size > 0 && performance.now() < until) {
    await delay(POLL_INTERVAL_MS);
    const still = await openTransactions(database);
    open = new Set([...open].filter((one) => still.has(one)));
  }
  return open.size === 0;
}

async function openTransactions(database: Database): Promise<ReadonlySet<string>> {
  const rows = await database.rows<{ virtualxid: string }>(sql`
    SELECT virtualxid FROM pg_locks
    WHERE locktype = 'virtualxid' AND mode = 'ExclusiveLock' AND granted AND pid <> pg_backend_pid()`);
  return new Set(rows.map(({ virtualxid }) => virtualxid));
}
