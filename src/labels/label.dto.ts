import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { JsonCheck, Optional } from '../http/json-member';
import type { JsonInput } from '../database/json-input';
import { VariablesMember } from '../resources/body-members';
import { labelNameError } from './label-names';

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
