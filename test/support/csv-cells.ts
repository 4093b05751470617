/**
 * Cells of the columns of a variable, and the JSON that they become: in a column of any values, and in one of texts (`:text`). The
 * service reads them so, and the explorer shows them so before an import.
 */
export const VARIABLE_CELLS: readonly (readonly [cell: string, value: string, inTexts: string])[] = [
  ['12', '12', '"12"'],
  [' 12 ', '12', '" 12 "'],
  ['6.8', '6.8', '"6.8"'],
  ['-0.5', '-0.5', '"-0.5"'],
  ['12345678901234567890', '12345678901234567890', '"12345678901234567890"'],
  // Numbers that would print without some of their characters.
  ['6.10', '"6.10"', '"6.10"'],
  [' 6.10 ', '" 6.10 "', '" 6.10 "'],
  ['1.0', '"1.0"', '"1.0"'],
  ['0.000', '"0.000"', '"0.000"'],
  ['1e3', '"1e3"', '"1e3"'],
  ['9.00719925474099E+16', '"9.00719925474099E+16"', '"9.00719925474099E+16"'],
  ['-0', '"-0"', '"-0"'],
  ['007', '"007"', '"007"'],
  ['+5', '"+5"', '"+5"'],
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
