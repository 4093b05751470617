import { jsonText } from '../../../api/exact-json';
import { quotedText } from '../../../components/typed-text';
import type { CellEdit, CellEdits } from './cell-edit';

/** The edits that set a variable to a number or boolean, with the texts of these instead: `"6.12"` for 6.12. */
export const asTexts = (edits: CellEdits, variable: string): readonly CellEdit[] =>
  [...edits.values()].flatMap((edit) => {
    const { change } = edit;
    if (change.type === 'member' || change.path.text !== variable || !change.value) return [];
    const text = jsonText(change.value.value);
    return quotedText(text, '') === undefined
      ? []
      : [{ ...edit, change: { ...change, value: { value: text } } }];
  });
