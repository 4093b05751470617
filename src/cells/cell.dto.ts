import { LabelledBody } from '../labels/label.dto';
import { OptionalId, OptionalText, RequiredId, RequiredText } from '../resources/body-members';

export class CreateCell extends LabelledBody {
  @RequiredText('rack-1', 'Unique in the region.')
  name!: string;

  @RequiredId("The cell's region.")
  region_id!: number;
}

export class UpdateCell extends LabelledBody {
  @OptionalText('rack-1', 'Unique in the region.')
  name?: string;

  @OptionalId("The cell's current region. To move a cell, use `PUT /v1/regions/{id}`.")
  region_id?: number;
}
