import { IsString, ValidateBy, ValidateIf, ValidateNested, validateSync } from 'class-validator';
import { fulfilsChecks } from '../../src/http/compiled-checks';

const isEven = (value: unknown): boolean => typeof value === 'number' && value % 2 === 0;
const Even = (): PropertyDecorator => ValidateBy({ name: 'even', validator: { validate: isEven } });

class Base {
  @ValidateIf((_, value) => value !== undefined)
  @Even()
  count?: unknown;
}

class Derived extends Base {
  @IsString()
  name?: unknown;
}

class WithEach {
  @IsString({ each: true })
  names?: unknown;
}

class Nested {
  @ValidateNested()
  inner?: unknown;
}

const of = <T extends object>(type: new () => T, members: Partial<T>): T =>
  Object.assign(new type(), members);

describe('fulfilsChecks', () => {
  it.each([
    ['all checks hold', of(Derived, { name: 'a', count: 2 })],
    ['a condition excludes a check', of(Derived, { name: 'a' })],
    ['an inherited check does not hold', of(Derived, { name: 'a', count: 3 })],
    ['a null is not excluded', of(Derived, { name: 'a', count: null })],
    ['an own check does not hold', of(Derived, { count: 2 })],
    ['a type without the check of a derived one', of(Base, { count: 4 })],
  ])('agrees with class-validator: %s', (_, object) => {
    expect(fulfilsChecks(object)).toBe(validateSync(object, { forbidUnknownValues: true }).length === 0);
  });

  it.each([
    ['checks of elements', of(WithEach, { names: ['a'] })],
    ['nested objects', of(Nested, { inner: of(Base, {}) })],
    ['types without checks', new Error('has none')],
  ])('leaves the decision to class-validator: %s', (_, object) => {
    expect(fulfilsChecks(object)).toBe(false);
  });
});
