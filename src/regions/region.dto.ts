import { ApiPropertyOptional } from '@nestjs/swagger';
import { LabelledBody } from '../labels/label.dto';
import { JsonCheck, Optional, ReadsWith } from '../http/json-member';
import { NullableId, OptionalText, RequiredText } from '../resources/body-members';
import { isObject } from '../core/context/variable-key';

export class CreateRegion extends LabelledBody {
  @RequiredText('eqiad', 'Unique in the project.')
  name!: string;

  @NullableId('The cloud that the region belongs to.')
  cloud_id?: number | null;
}

/** Converts objects with an `id` into ids. Other values are returned unchanged; the validation rejects them. */
function parseCellIds(value: unknown): unknown {
  return Array.isArray(value) ? value.map((cell: unknown) => (isObject(cell) ? cell['id'] : cell)) : value;
}

function cellIdsError(value: unknown): string | undefined {
  const areIds =
    Array.isArray(value) && value.length <= 1_000 && value.every((id) => Number.isSafeInteger(id));
  return areIds ? undefined : 'must be an array of at most 1000 ids, or objects with an id';
}

export class UpdateRegion extends LabelledBody {
  @OptionalText('eqiad', 'Unique in the project.')
  name?: string;

  @NullableId('The cloud that the region belongs to.')
  cloud_id?: number | null;

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
