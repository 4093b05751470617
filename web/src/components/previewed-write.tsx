import { lazyDialog } from './lazy-component';
import type { WriteDialogProps } from './write-dialog';

export type { PlannedWrite } from './write-dialog';

/** The dialog before every write. It is loaded when it is needed first. */
export const PreviewedWrite = lazyDialog<WriteDialogProps>(() =>
  import('./write-dialog').then(({ WriteDialog }) => WriteDialog),
);
