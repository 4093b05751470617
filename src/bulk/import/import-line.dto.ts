import { applyDecorators, type Type } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { BodyWithout, type Member, membersOf, namedClass } from '../../resources/members';
import { variableKeyError } from '../../core/context/variable-keys';
import { ClosedSchema } from '../../http/api-schemas';
import { JsonCheck, Optional } from '../../http/body-validation';
import { type BulkKind } from '../line-members';
import { fault, type Fault } from '../../core/error-details';

/** Declares the member `kind`, with its only value. */
const Kind =
  (kind: string): PropertyDecorator =>
  (target, property) => {
    JsonCheck('kind', (value) => (value === kind ? undefined : fault('invalid_value', `must be ${kind}`)))(
      target,
      property,
    );
    ApiProperty({ enum: [kind], example: kind })(target, property);
  };

function unsetKeysError(value: unknown): Fault | undefined {
  if (!Array.isArray(value) || value.some((key) => typeof key !== 'string'))
    return fault('invalid_type', 'must be an array of keys');
  return (value as readonly string[]).map(variableKeyError).find((error) => error !== undefined);
}

/** Variables to remove from the resource. */
const UnsetVariables = (): PropertyDecorator =>
  applyDecorators(
    Optional(),
    JsonCheck('unset_variables', unsetKeysError),
    ApiPropertyOptional({
      type: [String],
      example: ['rack'],
      description: 'The keys of variables to remove. Keys that are not set are no error.',
    }),
  );

/** Whether the numbers of a line leave equal ones as they are. */
const KeepEqualNumbers = (): PropertyDecorator =>
  applyDecorators(
    Optional(),
    JsonCheck('keep_equal_numbers', (value) =>
      typeof value === 'boolean' ? undefined : fault('invalid_type', 'must be a boolean'),
    ),
    ApiPropertyOptional({
      type: Boolean,
      example: true,
      description:
        'Whether a number of `variables` leaves an equal one as it is, with the zeros at the end of its fraction: 6.1 does not replace 6.10. Records of tables do.',
    }),
  );

function positiveError(value: unknown): Fault | undefined {
  const message = 'must be a positive integer';
  if (!Number.isSafeInteger(value)) return fault('invalid_type', message);
  return Number(value) >= 1 ? undefined : fault('out_of_range', message);
}

/** A precondition of a line. */
const Precondition = (member: string, description: string): PropertyDecorator =>
  applyDecorators(
    Optional(),
    JsonCheck(member, positiveError),
    ApiPropertyOptional({ type: 'integer', minimum: 1, example: 3, description }),
  );

const IfVersion = () =>
  Precondition('if_version', 'The line is imported only if the resource exists and has this version.');

const IfId = () =>
  Precondition(
    'if_id',
    'The line is imported only if the resource exists and has this id: names can be given away.',
  );

/** Creates the DTO for lines of a kind: an update, with the names of other resources instead of their ids. */
export function lineBody({ mapping, entity, update }: BulkKind): Type<object> {
  const different = membersOf(entity).filter(
    ({ name, lineName, inLine }) => lineName !== name || inLine !== undefined,
  );
  const names = different.map(({ name }) => name);
  const Line = namedClass(`${entity.name}Line`, BodyWithout(update, names));
  ClosedSchema()(Line);
  const prototype = Line.prototype as object;
  const declare = (members: readonly Member[]) => {
    for (const { lineName, inLine } of members) if (lineName !== undefined) inLine?.(prototype, lineName);
  };
  declare(different.filter(({ name, lineName }) => lineName === name));
  Kind(mapping.kind)(prototype, 'kind');
  if (mapping.carriesVariables) {
    UnsetVariables()(prototype, 'unset_variables');
    KeepEqualNumbers()(prototype, 'keep_equal_numbers');
  }
  IfVersion()(prototype, 'if_version');
  IfId()(prototype, 'if_id');
  declare(different.filter(({ name, lineName }) => lineName !== name));
  return Line;
}
