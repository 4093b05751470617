import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import type { Idempotency } from '../core/context/request-context';
import { InventoryError } from '../core/errors/inventory-error';
import { bodyText } from './request-body';

const KEY = /^[\x20-\x7e]{1,255}$/;

/**
 * How a request asks to be known again; undefined if it does not ask, or is none that makes something.
 * @throws InventoryError 400 for a key that is not of its form
 */
export function idempotencyOf(request: Request, response: Response): Idempotency | undefined {
  if (request.method !== 'POST') return undefined;
  const key = request.get('idempotency-key');
  if (key === undefined) return undefined;
  if (!KEY.test(key))
    throw InventoryError.invalid('Idempotency-Key', 'must have 1 to 255 printable ASCII characters');
  return {
    key,
    fingerprint: () =>
      createHash('sha256')
        .update(JSON.stringify([request.method, request.originalUrl, bodyText(request)]))
        .digest('hex'),
    replayed: () => response.setHeader('idempotency-replayed', 'true'),
  };
}
