import { ApiPropertyOptional } from '@nestjs/swagger';
import { JsonCheck, Optional, ReadsWith } from '../http/json-member';
import type { JsonInput } from '../database/json-input';
import { Note, VariablesMember } from '../resources/body-members';
import { labelNames, labelNamesFault } from './label-names';

/** The member `labels` of a create or update: the whole set. */
const LabelNames = (): PropertyDecorator => (target, property) => {
  Optional()(target, property);
  ReadsWith(labelNames)(target, property);
  JsonCheck('labels', labelNamesFault)(target, property);
  ApiPropertyOptional({
    oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
    example: 'compute,rack:4',
    description: 'The whole set: names joined by `,`, or an array of names. New names become labels.',
  })(target, property);
};

/** What regions, cells and devices may all be created or changed with. */
export abstract class LabelledBody {
  @LabelNames()
  labels?: string[];

  @Note()
  note?: string | null;

  @VariablesMember()
  variables?: JsonInput;
}
