import type { Caller, Resource } from './caller';

/** The collections of the inventory, in the order in which resources can refer to others. */
export const COLLECTIONS = ['clouds', 'regions', 'cells', 'labels', 'hosts', 'network-devices'];

/** The resources of each collection, in the order of their ids. */
export type Inventory = Map<string, Resource[]>;

/** Reads all resources of a project, with their own variables. */
export async function readInventory(caller: Caller): Promise<Inventory> {
  const inventory: Inventory = new Map();
  for (const collection of COLLECTIONS) {
    const own = collection === 'clouds' ? '' : '&resolved-values=false';
    const { body } = await caller.get(`/v1/${collection}?limit=10000${own}`).expect(200);
    inventory.set(collection, body as Resource[]);
  }
  return inventory;
}
