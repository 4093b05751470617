import { lazyComponent } from '../../../components/lazy-component';

/** Loaded when the cursor reaches a cell first. */
export const CellEditing = lazyComponent(() =>
  import('./cell-editing').then(({ CellEditing: component }) => component),
);

export function preloadCellEditing(): void {
  void CellEditing.preload();
}
