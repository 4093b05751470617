import type { ReactNode } from 'react';
import { RouteLink } from './resource-link';
import { conditionsFor } from './where-condition';

interface Props {
  /** The variable; undefined if it is not known. */
  readonly name: string | undefined;
  readonly value: unknown;
  /** The value, as it is shown. */
  readonly children: ReactNode;
}

/** Leads from the value of a variable to the devices that resolve it. Without a link if filters cannot express the value. */
export function ValueLink({ name, value, children }: Props) {
  const where = name === undefined ? undefined : conditionsFor(name, value);
  if (!where) return <>{children}</>;
  return (
    <RouteLink
      to="/devices"
      search={{ where: [...where] }}
      size="sm"
      c="inherit"
      underline="hover"
      title="Devices with this value"
    >
      {children}
    </RouteLink>
  );
}
