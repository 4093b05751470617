import { LabelNames } from '../labels/label-names';
import type { JsonInput } from '../shared/json/json-input';
import {
  Note,
  OptionalId,
  OptionalText,
  RequiredId,
  RequiredText,
  VariablesMember,
} from '../resources/body-members';

export class CreateCell {
  @RequiredText('rack-1', 'Unique in the region.')
  name!: string;

  @RequiredId("The cell's region.")
  region_id!: number;

  @LabelNames()
  labels?: string[];

  @Note()
  note?: string | null;

  @VariablesMember()
  variables?: JsonInput;
}

export class UpdateCell {
  @OptionalText('rack-1', 'Unique in the region.')
  name?: string;

  @OptionalId("The cell's region, as it is: a cell is moved through `PUT /v1/regions/{id}`.")
  region_id?: number;

  @LabelNames()
  labels?: string[];

  @Note()
  note?: string | null;

  @VariablesMember()
  variables?: JsonInput;
}
