import { isTyped, keyForEditor, typedOver } from '../src/components/pending-editor';
import {
  pendingEdit,
  withAction,
  withKey,
  type CellAction,
  type EditAction,
} from '../src/pages/devices/edit/cell-action';

/** The value of every cell. */
const VALUE = '6.8';

const cellOf = (id: number) => ({ row: { id }, column: 'kernel' }) as unknown as EditAction['cell'];

const edit = (id: number, text: string | undefined): CellAction => ({
  type: 'edit',
  cell: cellOf(id),
  typed: { isNew: text !== undefined, erased: 0, text: text ?? '' },
});

const shown = (action: CellAction): string => {
  if (action.type !== 'edit' && action.type !== 'write') return action.type;
  return `${action.type} ${String(action.cell.row.id)} ${typedOver(VALUE, action.typed)}`;
};

/** Presses keys on a list with the cursor on the cell 1 until its editor is there, as the list does. */
function waitingAfter(...keys: readonly string[]): readonly string[] {
  let waiting: readonly CellAction[] = [];
  let row = 1;
  for (const name of keys) {
    const key = name.replace(/^(?:(?:Control|Alt|AltGraph)\+)+/, '');
    const modifiers = name.split('+').slice(0, -1);
    const has = (modifier: string) => modifiers.includes(modifier);
    const editor = {
      onKey: (one: Parameters<typeof withKey>[1]) => (waiting = withKey(waiting, one)),
      onPreview: () => (waiting = withAction(waiting, { type: 'preview', isEarly: true })),
    };
    const moveOn = (rows: number) => (row += rows);
    const event = {
      ...{ key, ctrlKey: has('Control'), altKey: has('Alt'), metaKey: false, shiftKey: false },
      getModifierState: has,
    };
    const isPending = pendingEdit(waiting) !== undefined;
    if (isPending && keyForEditor(event, editor, { moveOn }) !== 'left') continue;
    if (key === 'ArrowDown') row += 1;
    else if (key === 'Delete') waiting = withAction(waiting, { type: 'clear', cell: cellOf(row), extent: 0 });
    else waiting = withAction(waiting, edit(row, key === 'F2' || key === 'Enter' ? undefined : key));
  }
  return waiting.map(shown);
}

describe('keys before the editor of a cell is there', () => {
  it.each([
    ['one text', ['6', '.', '2'], ['edit 1 6.2']],
    ['Enter enters it', ['6', '.', 'Enter'], ['write 1 6.']],
    ['Tab, too', ['7', 'Tab'], ['write 1 7']],
    [
      'the next text is for the next cell',
      ['6', 'Enter', '7', 'Enter', '8'],
      ['write 1 6', 'write 2 7', 'edit 3 8'],
    ],
    ['Ctrl-Enter enters it, and previews', ['6', 'Control+Enter'], ['write 1 6', 'preview']],
    ['another cell enters it', ['6', 'ArrowDown', '7'], ['write 1 6', 'edit 2 7']],
    ['Backspace', ['6', '7', 'Backspace', '8'], ['edit 1 68']],
    ['Escape', ['6', 'Escape'], []],
    ['what is a shortcut elsewhere', ['1', '/', '2', ' ', '?', 'g'], ['edit 1 1/2 ?g']],
    ['AltGr, which is Ctrl and Alt on Windows', ['a', 'Control+Alt+@', 'b'], ['edit 1 a@b']],
    ['AltGr elsewhere', ['a', 'AltGraph', 'AltGraph+€', 'b'], ['edit 1 a€b']],
    ['a dead key', ['a', 'Dead', 'é', 'b'], ['edit 1 aéb']],
    ['a key of an input method', ['a', 'Process', 'Unidentified', 'b'], ['edit 1 ab']],
    ['Ctrl does not type', ['a', 'Control', 'Control+v', 'b'], ['edit 1 ab']],
    ['Enter alone opens the editor with the value', ['Enter'], ['edit 1 6.8']],
    ['and what follows is behind it', ['F2', '1', '0'], ['edit 1 6.810']],
    ['or replaces its end', ['F2', 'Backspace', '9', 'Enter'], ['write 1 6.9']],
    ['nothing was typed: nothing is entered', ['F2', 'Enter'], []],
    ['a text that is emptied is entered', ['6', 'Backspace', 'Enter'], ['write 1 ']],
    ['Delete deletes nothing behind the text', ['6', 'Delete', 'Shift', 'Enter'], ['write 1 6']],
    ['another action follows', ['Delete', '6'], ['clear', 'edit 1 6']],
  ])('%s', (_, keys, waiting) => {
    expect(waitingAfter(...keys)).toEqual(waiting);
  });

  it('are applied to characters, not to halves of them', () => {
    const typed = { isNew: false, erased: 1, text: '' };
    expect(typedOver('rack 🚀', typed)).toBe('rack ');
    expect(isTyped(typed)).toBe(true);
  });
});
