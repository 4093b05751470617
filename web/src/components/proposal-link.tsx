import type { ReactNode } from 'react';
import { RouteLink } from './resource-link';

interface Props {
  readonly id: number;
  readonly children: ReactNode;
  readonly 'data-autofocus'?: boolean;
}

/** A link to the page of a proposal. */
export const ProposalLink = ({ id, children, ...others }: Props) => (
  <RouteLink to="/proposals/$id" params={{ id: String(id) }} size="sm" {...others}>
    {children}
  </RouteLink>
);
