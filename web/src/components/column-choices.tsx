import { Checkbox, CloseButton, Group, Stack, Text } from '@mantine/core';
import { AddVariable } from './add-variable';
import { variableColumn, variableOf } from './variable-column';

export interface ChoicesProps {
  readonly members: readonly { readonly id: string; readonly title: string }[];
  /** The shown columns, in order. */
  readonly columns: readonly string[];
  readonly onChange: (columns: string[]) => void;
  readonly hasVariables?: boolean;
}

/** The columns of a list, to be chosen, and a field that adds one. Loaded when it is opened. */
export function ColumnChoices({ members, columns, onChange, hasVariables = true }: ChoicesProps) {
  const paths = columns.flatMap((id) => variableOf(id)?.text ?? []);
  const remove = (id: string) => {
    onChange(columns.filter((other) => other !== id));
  };
  return (
    <Stack gap="xs">
      {hasVariables && (
        <AddVariable
          onAdd={(path) => {
            if (!paths.includes(path)) onChange([...columns, variableColumn(path)]);
          }}
        />
      )}
      {paths.map((path) => (
        <Group key={path} justify="space-between" wrap="nowrap" gap="xs">
          <Text component="code" size="xs" truncate>
            {path}
          </Text>
          <CloseButton
            size={24}
            aria-label={`Remove the column ${path}`}
            onClick={() => {
              remove(variableColumn(path));
            }}
          />
        </Group>
      ))}
      {members.map(({ id, title }) => (
        <Checkbox
          key={id}
          label={title}
          checked={columns.includes(id)}
          // A table needs a column.
          disabled={columns.length === 1 && columns.includes(id)}
          onChange={(event) => {
            if (event.currentTarget.checked) onChange(inOrder([...columns, id], members));
            else remove(id);
          }}
        />
      ))}
    </Stack>
  );
}

/** Members in their usual order, then variables. */
function inOrder(columns: readonly string[], members: ChoicesProps['members']): string[] {
  const positions = new Map(members.map(({ id }, position) => [id, position]));
  const position = (id: string) => positions.get(id) ?? members.length;
  return columns.toSorted((a, b) => position(a) - position(b));
}
