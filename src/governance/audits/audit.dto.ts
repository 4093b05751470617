import { Cell, cells } from '../../cells/cell.entity';
import { deviceKinds } from '../../devices/device-kinds';
import { Label, labels } from '../../labels/label.entity';
import { Region, regions } from '../../regions/region.entity';
import type { VariableOwner } from '../../variables/variables.service';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { JsonCheck, JsonMember, Optional } from '../../http/body-validation';
import type { JsonInput } from '../../database/json-input';
import { Note } from '../../resources/body-members';
import { anyValueSchema, ClosedSchema } from '../../http/api-schemas';
import { isObject, jsonValueError } from '../../core/context/variable-keys';
import { CreateBody, PartialBody } from '../../resources/members';
import { Audit } from './audit.entity';
import { fault, type Fault } from '../../core/error-details';

/** The levels that can set a variable of a device, broadest first. */
const levels: readonly VariableOwner[] = [
  { definition: regions, entity: Region },
  { definition: cells, entity: Cell },
  { definition: labels, entity: Label },
  ...deviceKinds,
];

/** The kinds of levels on which a remediation can set a value. */
export const remediatedKinds: readonly string[] = levels.map(({ definition }) => definition.mapping.kind);

/** The level of a kind in `remediatedKinds`. */
export function levelOf(kind: string): VariableOwner {
  const level = levels.find(({ definition }) => definition.mapping.kind === kind);
  if (!level) throw new Error(`${kind} is not a level`);
  return level;
}

/** `keys` are derived from the other members. */
export class CreateAudit extends CreateBody<Omit<Audit, 'keys'>>(Audit) {}

export class UpdateAudit extends PartialBody(CreateAudit) {}

/** A region, cell, label or device. */
@ClosedSchema()
export class LevelReference {
  @ApiProperty({ enum: remediatedKinds, example: 'region' })
  kind!: string;

  @ApiProperty({ type: 'integer', format: 'int64', example: 1 })
  id!: number;
}

function levelFault(value: unknown): Fault | undefined {
  if (!isObject(value) || Object.keys(value).sort().join(' ') !== 'id kind')
    return fault('invalid_type', 'must be an object with kind and id');
  const { kind, id } = value;
  if (!remediatedKinds.some((known) => known === kind))
    return fault('invalid_value', `kind must be one of ${remediatedKinds.join(', ')}`);
  return Number.isSafeInteger(id) ? undefined : fault('invalid_type', 'id must be an integer');
}

export class Remediation {
  @JsonCheck('level', levelFault)
  @ApiProperty({ type: LevelReference, description: 'The resource on which the value is set.' })
  level!: LevelReference;

  @Optional()
  @JsonMember()
  @JsonCheck('value', jsonValueError)
  @ApiPropertyOptional({
    ...anyValueSchema,
    example: ['10.0.0.1', '10.0.0.2'],
    description: 'The value to set. Defaults to the value that the audit expects.',
  })
  value?: JsonInput;

  @Note()
  note?: string | null;
}
