import type { Muster } from '../../../api/muster';
import { describeKinds } from '../../../lookup/resource-finder';
import { exportLines } from '../../long-requests';
import { existingOf, type ExistingInventory } from './existing';

/** The kinds of devices. */
export const deviceKinds = (): string[] => describeKinds('device').map(({ kind }) => kind);

/** Reads which variables are set where. @param importLabel the label that stores the keys of the last import */
export const readExisting = (muster: Muster, importLabel: string): Promise<ExistingInventory> =>
  existingOf(exportLines(muster, { kind: ['label', 'region', 'cell', ...deviceKinds()] }), importLabel);
