import type { ReactNode } from 'react';
import { RouteLink } from './resource-link';
import { conditionsFor } from './where-condition';

interface Props {
  /** The variable; undefined if it is not known. */
  readonly name: string | undefined;
  readonly value: unknown;
  /** Where in the variable the value is: a part, in the syntax of filters. By default, it is the whole value. */
  readonly path?: string | undefined;
  /** The value, as it is shown. */
  readonly children: ReactNode;
}

/** Leads from the value of a variable to the devices that resolve it. Without a link if filters cannot express the value. */
export function ValueLink({ name, value, path, children }: Props) {
  const where = whereOf(name, value, path);
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

/** The conditions that select the devices with a value; undefined if filters cannot express it. */
export const whereOf = (
  name: string | undefined,
  value: unknown,
  path?: string,
): readonly string[] | undefined => (name === undefined ? undefined : conditionsFor(name, value, path));
