import { deviceKind } from '../api/kinds';

/** What sets variables, broadest first. */
export type Level = 'region' | 'cell' | 'label' | 'device';

/** The level of a kind of resource, as the API names it: every kind of device is the level `device`. */
export const levelOf = (kind: string): Level =>
  kind === 'region' || kind === 'cell' || kind === 'label' ? kind : 'device';

/** Whether a kind of resource sets variables that devices inherit, or is a device. */
export const hasLevel = (kind: string): boolean =>
  levelOf(kind) !== 'device' || deviceKind(kind) !== undefined;
