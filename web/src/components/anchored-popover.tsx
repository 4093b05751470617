import { Popover } from '@mantine/core';
import type { ReactNode } from 'react';
import { Anchored, useIsShown } from './anchored';
import type { AnchorProps } from './use-opener';

interface Props extends AnchorProps {
  readonly position: 'bottom-start' | 'bottom-end';
  readonly width: number | string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** The popover of a `PopoverButton`. */
export function AnchoredPopover({ anchor, anchorId, isOpen, onClose, className, children, ...props }: Props) {
  const isShown = useIsShown(isOpen);
  return (
    <Popover {...props} id={anchorId} opened={isShown} onChange={onClose} trapFocus returnFocus shadow="md">
      <Popover.Target>
        <Anchored anchor={anchor} />
      </Popover.Target>
      <Popover.Dropdown className={className}>{children}</Popover.Dropdown>
    </Popover>
  );
}
