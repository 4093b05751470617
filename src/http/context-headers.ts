import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import type { Consistency, Idempotency } from '../core/context/request-context';
import { InventoryError } from '../core/errors/inventory-error';
import { parseConsistencyToken, consistencyToken } from '../core/wal-position';
import { bodyText } from './request-body';

/** With what a write was answered, and what a read is to show at least. */
export const CONSISTENCY_TOKEN = 'X-Consistency-Token';

export const A_TOKEN = '6904e2a1b7c3d5f0-00000001-000000001a2b3c40';

/** The header of answers, described. */
export const GIVEN_TOKEN = {
  [CONSISTENCY_TOKEN]: {
    description:
      'For the header of the same name of later reads, which then show this. Only where the database has replicas.',
    schema: { type: 'string' as const, example: A_TOKEN },
  },
};

/**
 * What the client has written, as it tells by the token of an earlier answer, and how it is given the next one. An empty
 * token is none: it is what a client has that was never given one.
 * @throws InventoryError 400 for what was never a token
 */
export function consistencyOf(request: Request, response: Response): Consistency {
  const token = request.get(CONSISTENCY_TOKEN) ?? '';
  const after = token === '' ? undefined : parseConsistencyToken(token);
  if (token !== '' && !after) throw InventoryError.invalid(CONSISTENCY_TOKEN, 'must be as an answer gave it');
  return {
    after,
    issueToken: (position) => {
      if (!response.headersSent) response.setHeader(CONSISTENCY_TOKEN, consistencyToken(position));
    },
  };
}

const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/;

/**
 * How a request asks to be known again; undefined if it does not ask, or is none that makes something.
 * @throws InventoryError 400 for a key that is not of its form
 */
export function idempotencyOf(request: Request, response: Response): Idempotency | undefined {
  if (request.method !== 'POST') return undefined;
  const key = request.get('idempotency-key');
  if (key === undefined) return undefined;
  if (!IDEMPOTENCY_KEY.test(key))
    throw InventoryError.invalid('Idempotency-Key', 'must have 1 to 255 printable ASCII characters');
  return {
    key,
    fingerprint: () =>
      createHash('sha256')
        .update(JSON.stringify([request.method, request.originalUrl, bodyText(request)]))
        .digest('hex'),
    markReplayed: () => response.setHeader('idempotency-replayed', 'true'),
  };
}
