import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  readonly onClick: () => void;
  /** What is wrong: a resource, or a cell of a list. */
  readonly children: ReactNode;
}

/** Leads from a rejected part of a write to where it is corrected. */
export const FaultButton = ({ onClick, children }: Props) => (
  <Anchor component="button" type="button" inherit onClick={onClick}>
    {children}
  </Anchor>
);
