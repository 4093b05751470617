import type { ReactNode } from 'react';
import { RouteLink } from './resource-link';

interface Props {
  readonly id: number;
  /** What the link shows, such as the time of the change. */
  readonly children: ReactNode;
}

/** A link to the page of a change. */
export const ChangeLink = ({ id, children }: Props) => (
  <RouteLink to="/changes/$id" params={{ id: String(id) }} size="sm">
    {children}
  </RouteLink>
);
