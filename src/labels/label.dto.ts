import { ApiPropertyOptional } from '@nestjs/swagger';
import { CreateBody, PartialBody } from '../resources/members';
import { JsonCheck, Optional, ReadsWith } from '../http/body-validation';
import { namedSchema } from '../http/api-schemas';
import type { JsonInput } from '../database/json-input';
import { VariablesMember, Note } from '../resources/body-members';
import { labelNamesError, MAX_NAMES, parseLabelNames } from './label-names';
import { Label } from './label.entity';

export class CreateLabel extends CreateBody(Label) {
  @VariablesMember()
  variables?: JsonInput;
}

export class UpdateLabel extends PartialBody(CreateLabel) {}

const labelNames = namedSchema('LabelNames', {
  oneOf: [
    { type: 'string' },
    { type: 'array', items: { type: 'string', minLength: 1 }, maxItems: MAX_NAMES },
  ],
  description: 'Names of labels: an array, or a text of names that are separated by `,`.',
});

/** The member `labels` of a create or update request. It replaces the whole set. */
const LabelNames = (): PropertyDecorator => (target, property) => {
  Optional()(target, property);
  ReadsWith(parseLabelNames)(target, property);
  JsonCheck('labels', labelNamesError)(target, property);
  ApiPropertyOptional({
    allOf: [labelNames],
    example: 'compute,rack:4',
    description:
      'All labels of the resource: names separated by `,`, or an array of names. New labels are created.',
  })(target, property);
};

/** The members that regions, cells and devices have in common in create and update requests. */
export class LabelledBody {
  @LabelNames()
  labels?: string[];

  @Note()
  note?: string | null;

  @VariablesMember()
  variables?: JsonInput;
}
