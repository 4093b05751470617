import { lazy, Suspense } from 'react';
import type { WriteDialogProps } from './write-dialog';

export type { PlannedWrite } from './write-dialog';

const WriteDialog = lazy(() =>
  import('./write-dialog').then(({ WriteDialog: component }) => ({ default: component })),
);

/** The dialog before every write. It is loaded when it is needed first. */
export const PreviewedWrite = (props: WriteDialogProps) => (
  <Suspense>
    <WriteDialog {...props} />
  </Suspense>
);
