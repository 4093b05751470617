import type { ReactNode } from 'react';
import { lazyDialog } from './lazy-component';
import { useOpener, type OpenerProps } from './use-opener';

const AnchoredPopover = lazyDialog(() =>
  import('./anchored-popover').then(({ AnchoredPopover: component }) => component),
);

interface Props {
  /** The button. */
  readonly target: (props: OpenerProps) => ReactNode;
  readonly position?: 'bottom-start' | 'bottom-end';
  readonly width: number | string;
  readonly className?: string | undefined;
  /** Loads the code of the content, if it is loaded later. */
  readonly preload?: () => Promise<void>;
  /** The content, which can close it. */
  readonly children: (close: () => void) => ReactNode;
}

/** A button that opens a popover. */
export function PopoverButton({ target, children, preload, position = 'bottom-end', ...props }: Props) {
  const [opener, anchor] = useOpener('dialog', async () => {
    await Promise.all([AnchoredPopover.preload(), preload?.()]);
  });
  return (
    <>
      {target(opener)}
      {anchor && (
        <AnchoredPopover {...anchor} {...props} position={position}>
          {children(anchor.onClose)}
        </AnchoredPopover>
      )}
    </>
  );
}
