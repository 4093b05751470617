import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { JsonCheck, Optional, ReadsWith } from '../http/json-member';
import type { JsonInput } from '../database/json-input';
import { VariablesMember, Note } from '../resources/body-members';
import { labelNameError, parseLabelNames, labelNamesError } from './label-names';

export class CreateLabel {
  @ApiProperty({ example: 'compute', maxLength: 255 })
  @JsonCheck('label', labelNameError)
  label!: string;

  @VariablesMember()
  variables?: JsonInput;
}

export class UpdateLabel {
  @ApiPropertyOptional({ example: 'compute', maxLength: 255 })
  @Optional()
  @JsonCheck('label', labelNameError)
  label?: string;

  @VariablesMember()
  variables?: JsonInput;
}

/** The member `labels` of a create or update request. It replaces the whole set. */
const LabelNames = (): PropertyDecorator => (target, property) => {
  Optional()(target, property);
  ReadsWith(parseLabelNames)(target, property);
  JsonCheck('labels', labelNamesError)(target, property);
  ApiPropertyOptional({
    oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
    example: 'compute,rack:4',
    description:
      'All labels of the resource: names separated by `,`, or an array of names. New labels are created.',
  })(target, property);
};

/** The members that regions, cells and devices have in common in create and update requests. */
export abstract class LabelledBody {
  @LabelNames()
  labels?: string[];

  @Note()
  note?: string | null;

  @VariablesMember()
  variables?: JsonInput;
}
