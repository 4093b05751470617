import { Button, Checkbox, CloseButton, Group, Popover, Stack, Text } from '@mantine/core';
import { MixerVerticalIcon } from '@radix-ui/react-icons';
import { lazy, Suspense } from 'react';

const AddVariable = lazy(() =>
  import('./add-variable').then(({ AddVariable: component }) => ({ default: component })),
);

const VARIABLE = 'var:';

/** The id of the column of a variable. */
export const variableColumn = (key: string): string => `${VARIABLE}${key}`;

/** The key of a column's variable; undefined for a member. */
export const variableOf = (column: string): string | undefined =>
  column.startsWith(VARIABLE) ? column.slice(VARIABLE.length) : undefined;

interface Props {
  readonly members: readonly { readonly id: string; readonly title: string }[];
  /** The shown columns, in order. */
  readonly columns: readonly string[];
  readonly onChange: (columns: string[]) => void;
  readonly hasVariables?: boolean;
}

/** Chooses the columns of a list: members, and any variable. */
export function ColumnChooser({ members, columns, onChange, hasVariables = true }: Props) {
  const keys = columns.flatMap((id) => variableOf(id) ?? []);
  const remove = (id: string) => {
    onChange(columns.filter((other) => other !== id));
  };
  return (
    <Popover position="bottom-end" trapFocus returnFocus width={260} shadow="md">
      <Popover.Target>
        <Button variant="default" leftSection={<MixerVerticalIcon aria-hidden />}>
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs">
          {hasVariables && (
            <Suspense>
              <AddVariable
                onAdd={(key) => {
                  if (!keys.includes(key)) onChange([...columns, variableColumn(key)]);
                }}
              />
            </Suspense>
          )}
          {keys.map((key) => (
            <Group key={key} justify="space-between" wrap="nowrap" gap="xs">
              <Text component="code" size="xs" truncate>
                {key}
              </Text>
              <CloseButton
                size="xs"
                aria-label={`Remove the column ${key}`}
                onClick={() => {
                  remove(variableColumn(key));
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
      </Popover.Dropdown>
    </Popover>
  );
}

/** Members in their usual order, then variables. */
function inOrder(columns: readonly string[], members: Props['members']): string[] {
  const positions = new Map(members.map(({ id }, position) => [id, position]));
  const position = (id: string) => positions.get(id) ?? members.length;
  return columns.toSorted((a, b) => position(a) - position(b));
}
