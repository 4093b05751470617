import { InventoryError } from '../../core/errors/inventory-error';

/** The refusal of who does not say who asks, with how to say it. @param message a sentence for whoever is refused */
export const unauthenticated = (message: string): InventoryError =>
  new InventoryError('unauthenticated', message, [], { 'www-authenticate': 'Bearer realm="muster"' });
