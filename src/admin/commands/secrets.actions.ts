import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { SecretRotation, type Resealed, type SealedWith } from '../../access-secrets/secret-rotation';
import { createSecretBox, loadKeys, replaceKeyFile, type KeySource } from '../../access-secrets/key-source';
import { StartupError } from '../../core/errors/startup-error';
import { Database } from '../../database/database';
import { earlierTransactionsEnded } from '../../database/earlier-transactions';
import { withAdvisoryLock } from '../../database/advisory-lock';
import { fingerprintOf, KEY_RELOAD_SECONDS, type SecretKeys } from '../../core/secret-box';
import { EXIT, type ExitCode } from '../exit-codes';
import { print, printJson, printTable, printStatus } from '../output';
import { withDatabase, withServices, type Session } from '../session';
import type { Terminal } from '../terminal';

export interface SecretsOptions {
  readonly json?: true;
}

/** Whoever seals everything anew holds it. Any number will do, as long as every Muster takes the same one. */
const ROTATION_LOCK = 7_780_001;

function keysOf({ environment, dataDir }: Session): KeySource {
  const source = loadKeys(environment, dataDir);
  if (source) return source;
  throw new StartupError(
    `There is no key for access secrets: SECRETS_KEY is not set, and ${dataDir} has none.`,
  );
}

/** Prints how much is sealed with which key. */
export function status(terminal: Terminal, { json }: SecretsOptions): Promise<ExitCode> {
  return withDatabase(terminal, async (session) => {
    const source = keysOf(session);
    return withServices(session, async (services) => {
      const rotation = new SecretRotation(services.get(Database), createSecretBox(source));
      const keys = statusOf(source, await rotation.counts());
      if (json) printJson(terminal, { keys });
      else
        printTable(
          terminal,
          ['KEY', 'IS', 'SECRETS', 'LEGACY FORMAT', 'KEPT ANSWERS'],
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

/** Every key that there is, or that something is sealed with. */
function statusOf(source: KeySource, counts: readonly SealedWith[]) {
  const known = createSecretBox(source).fingerprints;
  const sealing = createSecretBox(source).fingerprint;
  const lost = counts
    .map(({ fingerprint }) => fingerprint)
    .filter((fingerprint) => !known.includes(fingerprint));
  return [...known, ...lost].map((fingerprint) => {
    const count = counts.find((other) => other.fingerprint === fingerprint);
    const { secrets = 0, legacy_format = 0, answers = 0 } = count ?? {};
    const is = fingerprint === sealing ? 'sealing' : known.includes(fingerprint) ? 'opening' : 'not here';
    return { fingerprint, is, secrets, legacy_format, answers };
  });
}

/** Seals everything with the newest key. The exit code says whether everything could be opened. */
export function rotate(terminal: Terminal, { json }: SecretsOptions): Promise<ExitCode> {
  return withDatabase(terminal, (session) =>
    withAdvisoryLock(session.connection, ROTATION_LOCK, 'Another "muster-admin secrets" is at work.', () =>
      withServices(session, async (services) => {
        const database = services.get(Database);
        const { used, resealed } = await renewed(
          keysOf(session),
          (source) => new SecretRotation(database, createSecretBox(source)),
        );
        const { secrets, answers, unreadable } = resealed;
        if (json)
          printJson(terminal, {
            key: createSecretBox(used).fingerprint,
            resealed: { secrets, answers, unreadable },
          });
        else
          print(
            terminal,
            `key: ${createSecretBox(used).fingerprint}`,
            `secrets sealed anew: ${String(secrets)}`,
            `kept answers sealed anew: ${String(answers)}`,
            ...(used.keys.length > 1 ? [keepFormer(used)] : []),
          );
        if (unreadable === 0) return EXIT.done;
        printStatus(
          terminal,
          `${String(unreadable)} cannot be opened by any key that is here, and stay as they are.`,
        );
        return EXIT.failed;
      }),
    ),
  );
}

/** Said while the former key can still be read: backups are not sealed anew. */
const keepFormer = ({ file }: KeySource): string =>
  `note: backups of before open with the former key alone: keep a copy of ${file ?? 'SECRETS_KEY_OTHERS'} for as long as you keep them`;

/**
 * Seals everything with the newest key. Where a file holds the keys, a new one is made for that, unless a rotation was
 * broken off: then there is something that the newest can still seal. What no key opens keeps nobody from a new one.
 */
async function renewed(
  source: KeySource,
  rotation: (source: KeySource) => SecretRotation,
): Promise<{ readonly used: KeySource; readonly resealed: Resealed }> {
  const { keys, file } = source;
  const rest = await rotation(source).reseal();
  if (file === undefined || rest.fromOtherKeys > 0) return { used: source, resealed: rest };
  const made = randomBytes(32);
  replaceKeyFile(file, [made, ...keys.map((key) => Buffer.from(key, 'base64'))]);
  const used = { keys: [made.toString('base64'), ...keys], file };
  return { used, resealed: await rotation(used).reseal() };
}

/** Takes keys that seal nothing any more out of their file. */
export function forget(terminal: Terminal, { json }: SecretsOptions): Promise<ExitCode> {
  return withDatabase(terminal, (session) =>
    withAdvisoryLock(session.connection, ROTATION_LOCK, 'Another "muster-admin secrets" is at work.', () =>
      withServices(session, async (services) => {
        const source = keysOf(session);
        if (source.file === undefined)
          throw new StartupError(
            'The keys are those of the environment: take them out of SECRETS_KEY_OTHERS.',
          );
        const database = services.get(Database);
        await settled(database, source.file);
        const counts = await new SecretRotation(database, createSecretBox(source)).counts();
        const [first, ...others] = source.keys.map((key) => Buffer.from(key, 'base64'));
        if (!first) throw new StartupError('There is no key.');
        const used = new Set(counts.map(({ fingerprint }) => fingerprint));
        const keptKeys: SecretKeys = [first, ...others.filter((key) => used.has(fingerprintOf(key)))];
        const forgotten = others.filter((key) => !keptKeys.includes(key)).map(fingerprintOf);
        if (forgotten.length > 0) replaceKeyFile(source.file, keptKeys);
        if (json) printJson(terminal, { forgotten });
        else if (forgotten.length === 0) print(terminal, 'There is no key that seals nothing.');
        else
          print(
            terminal,
            ...forgotten.map((key) => `forgotten: ${key}`),
            'note: backups of before the rotation open only with a copy of what was forgotten',
          );
        return EXIT.done;
      }),
    ),
  );
}

/** In milliseconds: longer than any request's transaction may take. */
const SETTLING_PATIENCE = 150_000;

/**
 * Waits until nothing is on its way any more that was sealed before the present key was put into the file: a row that is
 * not committed yet is not counted, and nothing would open it.
 * @throws StartupError if somebody's transaction goes on for longer
 */
async function settled(database: Database, file: string): Promise<void> {
  // A process looks at the file when it seals, but not more often than this.
  const unseen = statSync(file).mtimeMs + 2 * KEY_RELOAD_SECONDS - Date.now();
  await delay(Math.min(Math.max(unseen, 0), 2 * KEY_RELOAD_SECONDS));
  if (await earlierTransactionsEnded(database, SETTLING_PATIENCE)) return;
  throw new StartupError(
    'A transaction is open that may have sealed something with a former key: an import or an export, perhaps. No key is forgotten; try again when it is over.',
  );
}
