import { matchesWords } from '../src/app/match-words';
import { withKey } from '../src/app/search-keys';

describe('what is typed before the search is loaded', () => {
  it.each([
    [['d', 'b', '-', '1'], { text: 'db-1', isSubmitted: false }],
    [['d', 'b', 'Enter'], { text: 'db', isSubmitted: true }],
    [['d', 'b', 'Enter', '1'], { text: 'db1', isSubmitted: false }],
    [['d', 'x', 'Backspace', 'b'], { text: 'db', isSubmitted: false }],
    [['ø', '🦄'], { text: 'ø🦄', isSubmitted: false }],
    [['d', 'Shift', 'Tab', 'ArrowDown', 'F5', 'Dead'], { text: 'd', isSubmitted: false }],
  ])('after %j', (keys, typed) => {
    const nothing = { text: '', isSubmitted: false };
    expect(keys.reduce((former, key) => withKey(former, key) ?? former, nothing)).toEqual(typed);
  });
});

describe('an action is found', () => {
  it.each([
    ['new host', 'New host… create add', true],
    ['host new', 'New host… create add', true],
    ['CREATE ho', 'New host… create add', true],
    ['switch lab', 'Switch to project lab-2 enter', true],
    ['ost', 'New host… create add', false],
    ['new hosts', 'New host… create add', false],
  ])('by %j: %j: %s', (text, title, isFound) => {
    expect(matchesWords(text, title)).toBe(isFound);
  });
});
