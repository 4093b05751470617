import { Notice } from '../../../components/notice';
import classes from './cell-editor.module.css';
import type { EditResult } from './fill';

export type Messages = Pick<EditResult, 'problems' | 'notes'>;

/** How many lines about cells are shown. */
const MAX_SHOWN = 50;

/** What is said about cells that were edited. */
export const EditMessages = ({ problems, notes }: Messages) => (
  <>
    {problems.length > 0 && (
      <Notice kind="error" title="Not everything could be entered">
        <Lines lines={problems} />
      </Notice>
    )}
    {notes.length > 0 && (
      <Notice kind="info" title="Check these">
        <Lines lines={notes} />
      </Notice>
    )}
  </>
);

const Lines = ({ lines }: { readonly lines: readonly string[] }) => (
  <ul className={classes.problems}>
    {lines.slice(0, MAX_SHOWN).map((line) => (
      <li key={line}>{line}</li>
    ))}
    {lines.length > MAX_SHOWN && <li>And {lines.length - MAX_SHOWN} more.</li>}
  </ul>
);
