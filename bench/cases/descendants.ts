import type { Fleet } from '../fleet/fleets';
import { ALONE, type Case } from '../run/case';
import { asked, reads } from './reads';

/** `/v1/devices` with everything below a device, against a page of the same size of all devices. */
export function descendantCases(fleet: Fleet): Case[] {
  const { tree } = fleet.samples;
  const found = `parent_id=${String(tree.id)}&descendants=true`;
  const one = (name: string, limit: number, query: string): Case => ({
    name: `descendants, ${name}`,
    group: `Below a parent with ${tree.descendants.toLocaleString('en')} descendants`,
    bar: { of: 'reference', most: 5 },
    connections: ALONE,
    floor: 'node:http',
    reference: `a plain page of ${String(limit)}`,
    prepare: async (stage) => ({
      ...(await reads(stage, fleet, 'http', [`/v1/devices?limit=${String(limit)}&${query}`])),
      reference: await asked(stage, fleet, [
        `/v1/devices?limit=${String(limit)}&marker=${String(fleet.samples.marker.middle)}`,
      ]),
    }),
  });
  // Descendants have the ids that follow.
  const late = `${found}&marker=${String(tree.id + Math.floor(0.98 * tree.descendants))}`;
  return [one('page of 30', 30, found), one('page of 100', 100, found), one('late page of 100', 100, late)];
}
