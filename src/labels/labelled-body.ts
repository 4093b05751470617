import type { JsonInput } from '../shared/json/json-input';
import { Note, VariablesMember } from '../resources/body-members';
import { LabelNames } from './label-names';

/** What regions, cells and devices may all be created or changed with. */
export abstract class LabelledBody {
  @LabelNames()
  labels?: string[];

  @Note()
  note?: string | null;

  @VariablesMember()
  variables?: JsonInput;
}
