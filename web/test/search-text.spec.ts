import { parseSearchText } from '../src/app/search-text';

describe('the text of a search', () => {
  it.each([
    ['set dfw', 'dfw', undefined],
    ['set variable on dfw', 'dfw', undefined],
    ['Set a variable on region dfw', 'dfw', 'region'],
    ['propose variables  on dfw', 'dfw', undefined],
    ['set device web-1', 'web-1', 'device'],
    ['set network device sw-1', 'sw-1', 'network-device'],
    ['set Network-Device sw-1', 'sw-1', 'network-device'],
    ['set top', 'top', undefined],
  ])('%j sets a variable on what is found by %j, of the kind %j', (text, query, kind) => {
    expect(parseSearchText(text)).toEqual({ isCommand: true, query, kind });
  });

  it.each(['dfw', 'set', 'settings', 'reset dfw', ''])('%j is no action', (text) => {
    expect(parseSearchText(text)).toEqual({ isCommand: false, query: text, kind: undefined });
  });
});
