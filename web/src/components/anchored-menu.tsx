import { Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import { Anchored, useIsShown } from './anchored';
import type { AnchorProps } from './use-opener';

interface Props extends AnchorProps {
  readonly position: 'bottom-start' | 'bottom-end';
  /** In pixels. */
  readonly maxWidth?: number;
  readonly children: ReactNode;
}

/** The menu of a button with `useOpener`. */
export function AnchoredMenu({ anchor, anchorId, isOpen, onClose, position, maxWidth, children }: Props) {
  const isShown = useIsShown(isOpen);
  return (
    <Menu id={anchorId} opened={isShown} onChange={onClose} position={position}>
      <Menu.Target>
        <Anchored anchor={anchor} />
      </Menu.Target>
      <Menu.Dropdown {...(maxWidth === undefined ? {} : { maw: maxWidth })}>{children}</Menu.Dropdown>
    </Menu>
  );
}

interface ActionMenuProps extends AnchorProps {
  readonly items: readonly { readonly title: string; readonly onChoose: () => void }[];
}

/** A menu of actions. */
export const ActionMenu = ({ items, ...anchor }: ActionMenuProps) => (
  <AnchoredMenu {...anchor} position="bottom-end">
    {items.map(({ title, onChoose }) => (
      <Menu.Item key={title} onClick={onChoose}>
        {title}
      </Menu.Item>
    ))}
  </AnchoredMenu>
);
