import { ApiProperty, OmitType } from '@nestjs/swagger';
import type { Type } from '@nestjs/common';
import { UpdateCell } from '../../cells/cell.dto';
import { UpdateCloud } from '../../clouds/cloud.dto';
import type { DeviceKind } from '../../devices/device-kind';
import { UpdateLabel } from '../../labels/label.dto';
import { UpdateRegion } from '../../regions/region.dto';
import { NullableText, OptionalText } from '../../resources/body-members';
import { JsonCheck, keepJsonMembers } from '../../http/json-member';

/** The word that a line begins with. */
const Kind =
  (kind: string): PropertyDecorator =>
  (target, property) => {
    JsonCheck('kind', (value) => (value === kind ? undefined : `must be ${kind}`))(target, property);
    ApiProperty({ enum: [kind], example: kind })(target, property);
  };

/** What can be changed of a resource, without the members that name others by their ids. */
function without<T extends object>(update: Type<T>, ids: readonly (keyof T & string)[]): Type<Partial<T>> {
  const rest = OmitType(update, ids);
  keepJsonMembers(update, rest);
  return rest as Type<Partial<T>>;
}

const UNIQUE = 'Unique in the project.';

export class CloudLine extends without(UpdateCloud, []) {
  @Kind('cloud')
  kind!: string;
}

export class LabelLine extends without(UpdateLabel, []) {
  @Kind('label')
  kind!: string;
}

export class RegionLine extends without(UpdateRegion, ['cloud_id', 'cells']) {
  @Kind('region')
  kind!: string;

  @NullableText('private', 'The name of the cloud that the region belongs to.')
  cloud?: string | null;
}

export class CellLine extends without(UpdateCell, ['region_id']) {
  @Kind('cell')
  kind!: string;

  @OptionalText('eqiad', "The name of the cell's region.")
  region?: string;
}

/** The lines of a kind of device. */
export function deviceLine({ shape, update }: DeviceKind): Type<object> {
  class DeviceLine extends without(update, ['region_id', 'cell_id', 'parent_id', 'access_secret_id']) {
    @Kind(shape.kind)
    kind!: string;

    @OptionalText('eqiad', "The name of the device's region.")
    region?: string;

    @NullableText('rack-1', "The name of the device's cell, which is one of its region.")
    cell?: string | null;

    @NullableText('sw1', `The name of the device that this one hangs below. ${UNIQUE}`)
    parent?: string | null;
  }
  const name = `${update.name.replace(/^Update/, '')}Line`;
  Object.defineProperty(DeviceLine, 'name', { value: name });
  return DeviceLine;
}
