/**
 * Cells of the columns of a variable, and the JSON that they become: in a column of any values, and in one of texts (`:text`). The
 * service reads them so, and the explorer shows them so before an import.
 */
export const VARIABLE_CELLS: readonly (readonly [cell: string, value: string, inTexts: string])[] = [
  ['12', '12', '"12"'],
  [' 12 ', '12', '" 12 "'],
  ['6.10', '6.10', '"6.10"'],
  ['1e3', '1e3', '"1e3"'],
  ['007', '"007"', '"007"'],
  ['true', 'true', '"true"'],
  ['True', '"True"', '"True"'],
  ['null', 'null', 'null'],
  ['"12"', '"12"', '"12"'],
  ['"12', '"\\"12"', '"\\"12"'],
  ['[1.10]', '[1.10]', '[1.10]'],
  ['{"b":true}', '{"b":true}', '{"b":true}'],
  ['[a]', '"[a]"', '"[a]"'],
  [' a ', '" a "', '" a "'],
];
