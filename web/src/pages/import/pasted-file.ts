import { useEffect, useEffectEvent } from 'react';

/** What was copied elsewhere, as a file: a table from a spreadsheet, or JSON. */
export function pastedFile(text: string): File {
  const trimmed = text.trimStart();
  const extension = trimmed.startsWith('[')
    ? 'json'
    : !trimmed.startsWith('{')
      ? 'csv'
      : isLine(trimmed)
        ? 'ndjson'
        : 'json';
  return new File([text], `pasted.${extension}`);
}

/** Whether the first line is a JSON value of its own. */
function isLine(text: string): boolean {
  try {
    JSON.parse(text.split('\n', 1)[0] ?? '');
    return true;
  } catch {
    return false;
  }
}

/** Calls back with what is pasted into the page, unless it is pasted into a field. */
export function usePastedFile(onFile: (file: File) => void): void {
  const onPasted = useEffectEvent(onFile);
  useEffect(() => {
    const onPaste = ({ target, clipboardData }: ClipboardEvent) => {
      if (target instanceof Element && target.closest('input, textarea, [contenteditable], [role=dialog]'))
        return;
      const [file] = clipboardData?.files ?? [];
      const text = clipboardData?.getData('text/plain') ?? '';
      if (text.trim() !== '') onPasted(pastedFile(text));
      else if (file) onPasted(file);
    };
    addEventListener('paste', onPaste);
    return () => {
      removeEventListener('paste', onPaste);
    };
  }, []);
}
