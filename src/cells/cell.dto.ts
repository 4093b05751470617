import { CreateBody, PartialBody } from '../resources/members';
import { LabelledBody } from '../labels/label.dto';
import { OptionalId } from '../resources/body-members';
import { Cell } from './cell.entity';

export class CreateCell extends CreateBody(Cell, LabelledBody) {}

export class UpdateCell extends PartialBody(CreateCell) {
  @OptionalId("The cell's current region. To move a cell, use `PUT /v1/regions/{id}`.")
  declare region_id?: number;
}
