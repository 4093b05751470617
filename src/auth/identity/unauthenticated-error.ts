import { InventoryError } from '../../core/errors/inventory-error';

/** Creates a 401 error with the `WWW-Authenticate` header. */
export const unauthenticated = (message: string): InventoryError =>
  new InventoryError('unauthenticated', message, [], { 'www-authenticate': 'Bearer realm="muster"' });
