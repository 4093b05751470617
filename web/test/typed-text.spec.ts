import {
  becomesJson,
  becomesJsonInTexts,
  columnType,
  enteredValue,
  losesCharacters,
  quotedText,
  NO_CELLS,
  addCell,
} from '../src/components/typed-text';

it.each([
  // The text, whether it becomes JSON, and whether it does in a column of texts.
  ['6.8', true, false],
  ['-0.5', true, false],
  ['0', true, false],
  ['90071992547409931234', true, false],
  [' 12 ', true, false],
  ['true', true, false],
  ['null', true, true],
  ['"6.8"', true, true],
  ['["a"]', true, true],
  ['{"a": 1.10}', true, true],
  ['6.10', false, false],
  ['1.0', false, false],
  ['-0', false, false],
  ['1e3', false, false],
  ['007', false, false],
  ['+1', false, false],
  ['.5', false, false],
  ['6.8.0-45', false, false],
  ['True', false, false],
  ['[a]', false, false],
  ['', false, false],
])('%j', (text, isJson, isJsonInTexts) => {
  expect([becomesJson(text), becomesJsonInTexts(text)]).toEqual([isJson, isJsonInTexts]);
});

it.each([
  // What is entered, the value that it replaces, and what is offered.
  ['6.12', '6.8', '"6.12"'],
  [' 6.10 ', '', '"6.10"'],
  ['true', 'yes', '"true"'],
  ['6.12', 6.8, undefined],
  ['6.12', undefined, undefined],
  ['"6.12"', '6.8', undefined],
  ['null', '6.8', undefined],
  ['6.12.x', '6.8', undefined],
])('for %j instead of %j, %j is offered', (text, former, offered) => {
  expect(quotedText(text, former)).toBe(offered);
});

it.each([
  // What is entered, what the field showed before, and the JSON that it becomes; undefined: it is not valid.
  ['6.8', '"6.7"', '6.8'],
  [' true ', undefined, 'true'],
  ['null', undefined, 'null'],
  ['"6.8"', '6.8', '"6.8"'],
  ['{"a": 1.10}', undefined, '{"a": 1.10}'],
  ['6.20', '"6.8"', '"6.20"'],
  ['1e3', '4', '"1e3"'],
  ['007', undefined, '"007"'],
  ['6.8.0-45', undefined, '"6.8.0-45"'],
  ['a "b"\\c\nd', undefined, '"a \\"b\\"\\\\c\\nd"'],
  ['True', 'false', 'true'],
  ['True', '"yes"', '"True"'],
  // The value as it was.
  ['1.0', '1.0', '1.0'],
  ['1.00', '1.0', '"1.00"'],
  ['"6.8', undefined, undefined],
  ['[draft] x', undefined, undefined],
  ['{"a": 1', undefined, undefined],
  [' ', undefined, undefined],
])('%j, entered instead of %s, becomes %s', (text, current, json) => {
  const entered = enteredValue(text, current);
  expect('json' in entered ? entered.json : undefined).toBe(json);
  const isQuoted = json?.startsWith('"') === true && !text.startsWith('"');
  expect('json' in entered && entered.note !== undefined).toBe(isQuoted);
});

it('a number that is not in its shortest form loses characters', () => {
  const texts = ['6.10', ' 1e3 ', '-0', '6.1', '007', 'x', '"6.10"'];
  expect(texts.filter(losesCharacters)).toEqual(['6.10', ' 1e3 ', '-0']);
});

it.each([
  // The cells of a column, whether devices have texts in the variable, and the cell because of which all are texts.
  [['6.8', '6.10'], false, '6.10'],
  [['6.8', '', 'true', '6.8.0-45'], false, '6.8.0-45'],
  [['6.8', '"6.9"'], false, '"6.9"'],
  [['6.8', '6.9'], true, undefined],
  [['6.8', '6.9'], false, 'mixed'],
  [['true', 'null', '(unset)', ''], false, 'mixed'],
  [['["a"]', '{"a": 1}', '12'], false, 'mixed'],
  // The service warns of broken lists, unless all are texts.
  [['["a"]', '[a]', '["a"', '{"a"'], true, 'mixed'],
  [['12', '{{ a }}'], false, '{{ a }}'],
  // Nothing depends on other values.
  [['["a"]', 'null'], true, 'mixed'],
])('the column %j, devices have texts: %s', (cells, haveDevicesTexts, expected) => {
  expect(columnType(cells.reduce(addCell, NO_CELLS), haveDevicesTexts)).toEqual(
    expected === 'mixed' ? { kind: 'mixed' } : { kind: 'text', decidedBy: expected },
  );
});
