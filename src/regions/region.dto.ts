import { ApiPropertyOptional } from '@nestjs/swagger';
import { CreateBody, PartialBody } from '../resources/members';
import { LabelledBody } from '../labels/label.dto';
import { JsonCheck, Optional, ReadsWith } from '../http/body-validation';
import { isObject } from '../core/context/variable-keys';
import { Region } from './region.entity';
import { fault, type Fault } from '../core/error-details';

export class CreateRegion extends CreateBody<Omit<Region, 'cells'>, LabelledBody>(Region, LabelledBody) {}

/** Converts objects with an `id` into ids. Other values are returned unchanged; the validation rejects them. */
function parseCellIds(value: unknown): unknown {
  return Array.isArray(value) ? value.map((cell: unknown) => (isObject(cell) ? cell['id'] : cell)) : value;
}

function cellIdsError(value: unknown): Fault | undefined {
  const message = 'must be an array of at most 1000 ids, or objects with an id';
  if (!Array.isArray(value) || !value.every((id) => Number.isSafeInteger(id)))
    return fault('invalid_type', message);
  return value.length <= 1_000 ? undefined : fault('too_long', message);
}

export class UpdateRegion extends PartialBody(CreateRegion) {
  @ApiPropertyOptional({
    type: 'array',
    items: { oneOf: [{ type: 'integer' }, { type: 'object', properties: { id: { type: 'integer' } } }] },
    example: [1, { id: 2 }],
    description: 'Cells to move into this region, with their devices. Other cells do not move.',
  })
  @Optional()
  @ReadsWith(parseCellIds)
  @JsonCheck('cells', cellIdsError)
  cells?: number[];
}
