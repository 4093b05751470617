import { useId, useState, type Ref } from 'react';

/** What a button needs that opens a popover or a menu, whose code is loaded later. */
export interface OpenerProps {
  readonly ref: Ref<HTMLButtonElement>;
  readonly id: string;
  readonly 'aria-haspopup': 'dialog' | 'menu';
  readonly 'aria-expanded': boolean;
  readonly onClick: () => void;
  readonly onPointerEnter: () => void;
  readonly onFocus: () => void;
}

/** What such a popover or menu needs. */
export interface AnchorProps {
  readonly anchor: HTMLElement;
  readonly anchorId: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/**
 * A button and what it opens. The code is loaded when the pointer or the focus reaches the button, and the place is computed by a
 * library, which the first page does not need. It opens with all that it contains: the focus is in its field then.
 * @param preload loads all code of what is opened
 * @returns the properties of both; those of what is opened are undefined until then
 */
export function useOpener(
  popup: 'dialog' | 'menu',
  preload: () => Promise<void>,
): readonly [OpenerProps, AnchorProps | undefined] {
  const id = useId();
  const [anchor, setAnchor] = useState<HTMLButtonElement | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setOpened] = useState(false);
  const load = () => void preload();
  const open = () => {
    setOpen(true);
    setOpened(true);
  };
  return [
    {
      ref: setAnchor,
      id,
      'aria-haspopup': popup,
      'aria-expanded': isOpen,
      onClick: () => {
        if (isOpen) setOpen(false);
        else void preload().then(open);
      },
      onPointerEnter: load,
      onFocus: load,
    },
    anchor && wasOpened
      ? {
          anchor,
          anchorId: id,
          isOpen,
          onClose: () => {
            setOpen(false);
          },
        }
      : undefined,
  ];
}
