import type { Audit, Failure } from '../../api/audits';
import { parseJson } from '../../api/exact-json';
import { counted } from '../../components/counted';
import { planImport } from '../../components/import-write';
import { levelOf } from '../../components/levels';
import type { PlannedWrite } from '../../components/planned-write';

/** The failing devices that set a variable themselves. */
export const devicesWithOwnValue = (failures: readonly Failure[], key: string): readonly Failure[] =>
  failures.filter(
    ({ key: failing, source }) => failing === key && source && levelOf(source.kind) === 'device',
  );

/**
 * The plan to set a value on devices: one import, so that all of them are changed, or none. Each line names its device by the id,
 * too: another one can have the name by then.
 * @param text the value as JSON
 */
export function planOwnRemediation(
  { name }: Pick<Audit, 'name'>,
  devices: readonly Pick<Failure, 'kind' | 'id' | 'name'>[],
  key: string,
  text: string,
): PlannedWrite {
  const variables = { [key]: parseJson(text) };
  return planImport(
    `Remediate ${name} on ${counted(devices.length, 'device')}`,
    devices.map((device) => ({ kind: device.kind, name: device.name, if_id: device.id, variables })),
  );
}
