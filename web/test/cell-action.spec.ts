import { followedBy, type CellAction } from '../src/pages/devices/edit/cell-action';

type Edit = Extract<CellAction, { readonly type: 'edit' }>;

const edit = (id: number, text: string | undefined): CellAction => {
  const cell = { row: { id }, column: 'kernel' } as unknown as Edit['cell'];
  return { type: 'edit', cell, text };
};

/** The text that the editor begins with, after keys that were pressed before its code was there. */
const textAfter = (...actions: readonly CellAction[]): unknown => {
  let action: CellAction | undefined;
  for (const next of actions) action = followedBy(action, next);
  return action?.type === 'edit' ? action.text : action;
};

describe('keys before the editor of a cell is there', () => {
  it.each([
    ['one text', [edit(1, '6'), edit(1, '.'), edit(1, '2')], '6.2'],
    ['Enter keeps what was typed', [edit(1, '6'), edit(1, '.'), edit(1, undefined)], '6.'],
    ['Enter alone opens the editor with the value', [edit(1, undefined)], undefined],
    ['another cell begins another text', [edit(1, '6'), edit(2, '7')], '7'],
  ])('%s', (_, actions, text) => {
    expect(textAfter(...actions)).toBe(text);
  });
});
