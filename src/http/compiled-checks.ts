import type { Type } from '@nestjs/common';
import { getMetadataStorage, ValidationTypes } from 'class-validator';

type Check = (object: object) => boolean;

const compiledChecks = new Map<Type, Check>();

/**
 * Whether a DTO fulfils all of its checks. class-validator looks up, filters and groups the checks for each object, which takes
 * a multiple of the checks themselves; this function does so once for each type. It has no messages: if it returns false,
 * class-validator decides.
 */
export function fulfilsChecks(object: object): boolean {
  const dto = object.constructor as Type;
  let check = compiledChecks.get(dto);
  if (!check) {
    check = compileChecks(dto);
    compiledChecks.set(dto, check);
  }
  return check(object);
}

/** Compiles the checks of all members; a check that never holds if class-validator has to decide. */
function compileChecks(dto: Type): Check {
  const storage = getMetadataStorage();
  const all = storage.getTargetValidationMetadatas(dto, '', false, false);
  const isSimple = all.every(
    ({ type, each, validateIf }) =>
      (type === ValidationTypes.CUSTOM_VALIDATION || type === ValidationTypes.CONDITIONAL_VALIDATION) &&
      !each &&
      validateIf === undefined,
  );
  if (all.length === 0 || !isSimple) return () => false;
  const members = Object.entries(storage.groupByPropertyName(all)).map(([property, metadata]) => ({
    property,
    conditions: metadata
      .filter(({ type }) => type === ValidationTypes.CONDITIONAL_VALIDATION)
      .map(({ constraints }) => constraints[0] as (object: object, value: unknown) => boolean),
    checks: metadata
      .filter(({ type }) => type === ValidationTypes.CUSTOM_VALIDATION)
      .flatMap(({ constraintCls, constraints }) =>
        storage
          .getTargetValidatorConstraints(constraintCls)
          .map(({ instance }) => ({ instance, constraints })),
      ),
  }));
  return (object) =>
    members.every(({ property, conditions, checks }) => {
      const value = (object as Readonly<Record<string, unknown>>)[property];
      return (
        !conditions.every((applies) => applies(object, value)) ||
        checks.every(
          ({ instance, constraints }) =>
            instance.validate(value, { value, constraints, targetName: dto.name, object, property }) === true,
        )
      );
    });
}
