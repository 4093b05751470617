import type { components } from '@muster/api-types';
import { LevelLink } from './level-link';
import type { SmallColumn } from './small-table';
import { VariableKeyLink } from './variable-key-link';
import { VariableValue } from './variable-value';

/** A value that violates a definition. */
export type Violation = components['schemas']['Violation'];

/** Identifies a violation. */
export const violationKey = ({ kind, id, key, path }: Violation): string => `${kind}/${id}/${key}${path}`;

/** The columns of a table of violations. */
export const VIOLATION_COLUMNS: readonly SmallColumn<Violation>[] = [
  {
    header: 'Set on',
    render: ({ kind, id, name }) =>
      // Users have variables, too, and are no level.
      kind === 'user' ? `user ${name}` : <LevelLink kind={kind} id={id} name={name} />,
  },
  { header: 'Key', render: ({ key }) => <VariableKeyLink name={key} /> },
  {
    header: 'Value',
    // No device resolves the variables of users.
    render: ({ kind, key, value }) => (
      <VariableValue value={value} name={kind === 'user' ? undefined : key} />
    ),
  },
  {
    header: 'Problem',
    render: ({ path, message }) => (path === '' ? message : `${path}: ${message}`),
  },
];
