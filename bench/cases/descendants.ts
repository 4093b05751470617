import type { Fleet } from '../fleet/fleets';
import { ALONE, type Case } from '../run/case';
import { serviceSide, reads } from './reads';

/** `/v1/devices` with the descendants of a device, compared with a plain page of the same size. */
export function descendantCases(fleet: Fleet): Case[] {
  const { tree } = fleet.samples;
  const found = `parent_id=${String(tree.id)}&descendants=true`;
  // Descendants have the IDs after their parent's, so a plain page after the same marker shows the same devices.
  const one = (name: string, limit: number, marker: number): Case => ({
    name: `descendants, ${name}`,
    group: `Below a parent with ${tree.descendants.toLocaleString('en')} descendants`,
    bar: { of: 'reference', max: 5 },
    connections: ALONE,
    floor: 'node:http',
    reference: 'a plain page of the same devices',
    prepare: async (stage) => {
      const page = `/v1/devices?limit=${String(limit)}`;
      const from = `marker=${String(marker)}`;
      const descendants = marker === tree.id ? `${page}&${found}` : `${page}&${found}&${from}`;
      return {
        ...(await reads(stage, fleet, 'http', [descendants])),
        reference: await serviceSide(stage, fleet, [`${page}&${from}`]),
      };
    },
  });
  const late = tree.id + Math.floor(0.98 * tree.descendants);
  return [
    one('page of 30', 30, tree.id),
    one('page of 100', 100, tree.id),
    one('late page of 100', 100, late),
  ];
}
