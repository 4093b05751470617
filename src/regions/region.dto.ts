import { ApiPropertyOptional } from '@nestjs/swagger';
import { CreateBody, PartialBody } from '../resources/members';
import { LabelledBody } from '../labels/label.dto';
import { JsonCheck, Optional, ReadsWith } from '../http/body-validation';
import { namedSchema } from '../http/api-schemas';
import { isObject } from '../core/context/variable-keys';
import { Region } from './region.entity';

export class CreateRegion extends CreateBody<Omit<Region, 'cells'>, LabelledBody>(Region, LabelledBody) {}

/** Converts objects with an `id` into ids. Other values are returned unchanged; the validation rejects them. */
function parseCellIds(value: unknown): unknown {
  return Array.isArray(value) ? value.map((cell: unknown) => (isObject(cell) ? cell['id'] : cell)) : value;
}

/** How many cells one request moves. */
const MAX_CELLS = 1_000;

function cellIdsError(value: unknown): string | undefined {
  const areIds =
    Array.isArray(value) && value.length <= MAX_CELLS && value.every((id) => Number.isSafeInteger(id));
  return areIds ? undefined : `must be an array of at most ${String(MAX_CELLS)} ids, or objects with an id`;
}

/** A cell in a request: its id, or an object with it, such as a region shows. */
const cellReference = namedSchema('CellReference', {
  oneOf: [
    { type: 'integer', format: 'int64' },
    namedSchema('CellWithId', {
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'integer', format: 'int64', example: 2 } },
    }),
  ],
});

export class UpdateRegion extends PartialBody(CreateRegion) {
  @ApiPropertyOptional({
    type: 'array',
    items: cellReference,
    maxItems: MAX_CELLS,
    example: [1, { id: 2 }],
    description: 'Cells to move into this region, with their devices. Other cells do not move.',
  })
  @Optional()
  @ReadsWith(parseCellIds)
  @JsonCheck('cells', cellIdsError)
  cells?: number[];
}
