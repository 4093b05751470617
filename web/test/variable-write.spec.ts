import { jsonProblem } from '../src/components/variable-write';

it.each([
  ['', 'Enter a JSON value: "text" in quotes, 12, true, null, [ … ] or { … }.'],
  ['6.8.0', 'Not valid JSON. A text needs double quotes.'],
  // The service keeps the zeros of numbers.
  ['6.10', undefined],
  [' 1.0 ', undefined],
  ['1e3', undefined],
  ['"6.10"', undefined],
])('the JSON text %j: %s', (text, problem) => {
  expect(jsonProblem(text)).toBe(problem);
});
