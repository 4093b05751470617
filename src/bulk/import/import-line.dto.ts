import { applyDecorators, type Type } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { UpdateCell } from '../../cells/cell';
import { UpdateCloud } from '../../clouds/cloud';
import type { DeviceKind } from '../../devices/device-kind';
import { UpdateLabel } from '../../labels/label';
import { labelNameError } from '../../labels/label-names';
import { UpdateRegion } from '../../regions/region';
import { NullableText, OptionalText } from '../../resources/body-members';
import { variableKeyError } from '../../core/context/variable-keys';
import { JsonCheck, copyJsonMembers, Optional, ReadsWith } from '../../http/body-validation';

/** Declares the member `kind`, with its only value. */
const Kind =
  (kind: string): PropertyDecorator =>
  (target, property) => {
    JsonCheck('kind', (value) => (value === kind ? undefined : `must be ${kind}`))(target, property);
    ApiProperty({ enum: [kind], example: kind })(target, property);
  };

function unsetKeysError(value: unknown): string | undefined {
  if (!Array.isArray(value) || value.some((key) => typeof key !== 'string'))
    return 'must be an array of keys';
  return (value as readonly string[]).map(variableKeyError).find((error) => error !== undefined);
}

/** Variables to remove from the resource. */
const UnsetVariables = (): PropertyDecorator =>
  applyDecorators(
    Optional(),
    JsonCheck('unset_variables', unsetKeysError),
    ApiPropertyOptional({
      type: [String],
      example: ['rack'],
      description: 'The keys of variables to remove. Keys that are not set are no error.',
    }),
  );

const isPositive = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 1;

/** A precondition of a line. */
const Precondition = (member: string, description: string): PropertyDecorator =>
  applyDecorators(
    Optional(),
    JsonCheck(member, (value) => (isPositive(value) ? undefined : 'must be a positive integer')),
    ApiPropertyOptional({ type: 'integer', minimum: 1, example: 3, description }),
  );

const IfVersion = () =>
  Precondition('if_version', 'The line is imported only if the resource exists and has this version.');

const IfId = () =>
  Precondition(
    'if_id',
    'The line is imported only if the resource exists and has this id: names can be given away.',
  );

/** The DTO of an update, without the members that reference resources by id. */
function withoutIds<T extends object>(update: Type<T>, ids: readonly (keyof T & string)[]): Type<Partial<T>> {
  const rest = OmitType(update, ids);
  copyJsonMembers(update, rest);
  return rest as Type<Partial<T>>;
}

const UNIQUE = 'Unique in the project.';

export class CloudLine extends withoutIds(UpdateCloud, []) {
  @Kind('cloud')
  kind!: string;

  @IfVersion()
  if_version?: number;

  @IfId()
  if_id?: number;
}

export class LabelLine extends withoutIds(UpdateLabel, ['label']) {
  // Not trimmed: it identifies the resource of the line, as it is written.
  @ApiPropertyOptional({ example: 'compute', maxLength: 255 })
  @Optional()
  @ReadsWith((value) => value)
  @JsonCheck('label', labelNameError)
  override label?: string;

  @Kind('label')
  kind!: string;

  @UnsetVariables()
  unset_variables?: string[];

  @IfVersion()
  if_version?: number;

  @IfId()
  if_id?: number;
}

export class RegionLine extends withoutIds(UpdateRegion, ['cloud_id', 'cells']) {
  @Kind('region')
  kind!: string;

  @UnsetVariables()
  unset_variables?: string[];

  @IfVersion()
  if_version?: number;

  @IfId()
  if_id?: number;

  @NullableText('private', 'The name of the cloud of the region.')
  cloud?: string | null;
}

export class CellLine extends withoutIds(UpdateCell, ['region_id']) {
  @Kind('cell')
  kind!: string;

  @UnsetVariables()
  unset_variables?: string[];

  @IfVersion()
  if_version?: number;

  @IfId()
  if_id?: number;

  @OptionalText('eqiad', "The name of the cell's region.")
  region?: string;
}

/** Creates the DTO for lines of a kind of device. */
export function createDeviceLine({ shape, update }: DeviceKind): Type<object> {
  class DeviceLine extends withoutIds(update, ['region_id', 'cell_id', 'parent_id', 'access_secret_id']) {
    @Kind(shape.kind)
    kind!: string;

    @UnsetVariables()
    unset_variables?: string[];

    @IfVersion()
    if_version?: number;

    @IfId()
    if_id?: number;

    @OptionalText('eqiad', "The name of the device's region.")
    region?: string;

    @NullableText('rack-1', "The name of the device's cell. The cell belongs to the region of the device.")
    cell?: string | null;

    @NullableText('sw1', `The name of the parent device. ${UNIQUE}`)
    parent?: string | null;
  }
  const name = `${update.name.replace(/^Update/, '')}Line`;
  Object.defineProperty(DeviceLine, 'name', { value: name });
  return DeviceLine;
}
