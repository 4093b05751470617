import type { ReactNode } from 'react';
import { RouteLink } from './resource-link';

interface Props {
  readonly id: number;
  /** What the link shows, such as the time of the change. */
  readonly children: ReactNode;
  readonly tabIndex?: number;
}

/** A link to the page of a change. */
export const ChangeLink = ({ id, children, ...others }: Props) => (
  <RouteLink to="/changes/$id" params={{ id: String(id) }} size="sm" {...others}>
    {children}
  </RouteLink>
);
