import { applyDecorators, type Type } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { BodyWithout, type Member, membersOf, namedClass } from '../../resources/members';
import { variableKeyError } from '../../core/context/variable-keys';
import { ClosedSchema } from '../../http/api-schemas';
import { JsonCheck, Optional } from '../../http/body-validation';
import { type BulkKind } from '../line-members';

/** Declares the member `kind`, with its only value. */
const Kind =
  (kind: string): PropertyDecorator =>
  (target, property) => {
    JsonCheck('kind', (value) => (value === kind ? undefined : `must be ${kind}`))(target, property);
    ApiProperty({ enum: [kind], example: kind })(target, property);
  };

function unsetKeysError(value: unknown): string | undefined {
  if (!Array.isArray(value) || value.some((key) => typeof key !== 'string'))
    return 'must be an array of keys';
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

const isPositive = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 1;

/** A precondition of a line. */
const Precondition = (member: string, description: string): PropertyDecorator =>
  applyDecorators(
    Optional(),
    JsonCheck(member, (value) => (isPositive(value) ? undefined : 'must be a positive integer')),
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
  if (mapping.carriesVariables) UnsetVariables()(prototype, 'unset_variables');
  IfVersion()(prototype, 'if_version');
  IfId()(prototype, 'if_id');
  declare(different.filter(({ name, lineName }) => lineName !== name));
  return Line;
}
