import { beginningOf } from '../src/components/beginning-of';

it.each([
  ['abc', 2, 'ab'],
  ['abc', 5, 'abc'],
  ['a🚀b', 2, 'a'],
  ['a🚀b', 3, 'a🚀'],
  ['שלום', 2, 'של'],
])('the beginning of %s, %d units long, is %s', (text, length, expected) => {
  expect(beginningOf(text, length)).toBe(expected);
});
