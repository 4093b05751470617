/** The attributes of a button that Ctrl-Enter presses in its form: see app/edit-shortcuts.tsx. */
export const SUBMIT_SHORTCUT = {
  'aria-keyshortcuts': 'Control+Enter Meta+Enter',
  title: 'Ctrl-Enter',
} as const;
