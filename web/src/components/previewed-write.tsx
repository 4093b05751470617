import { useEffect, useState } from 'react';
import { lazyDialog } from './lazy-component';
import type { WriteDialogProps } from './planned-write';

export type { PlannedWrite } from './planned-write';

/** The dialog before every write. It is loaded when it is needed first. */
export const PreviewedWrite = lazyDialog<WriteDialogProps>(() =>
  import('./write-dialog').then(({ WriteDialog }) => WriteDialog),
);

/**
 * Loads the dialog while a form is filled in: once something was entered, nothing has to be loaded any more.
 * @returns whether loading has ended, even if it failed.
 */
export function usePreloadedPreview(): boolean {
  const [isLoaded, setLoaded] = useState(false);
  useEffect(() => {
    void PreviewedWrite.preload().then(() => {
      setLoaded(true);
    });
  }, []);
  return isLoaded;
}
