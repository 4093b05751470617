import { Button, Checkbox, CloseButton, Group, Popover, Stack, Text } from '@mantine/core';
import { MixerVerticalIcon } from '@radix-ui/react-icons';
import { lazyComponent } from './lazy-component';
import { parseVariablePath, type VariablePath } from './variable-path';

const AddVariable = lazyComponent(() =>
  import('./add-variable').then(({ AddVariable: component }) => component),
);

const VARIABLE = 'var:';

/** The id of the column of a variable. @param path its key, or the path of a part of its value */
export const variableColumn = (path: string): string => `${VARIABLE}${path}`;

/** The variable of a column, or the part of one; undefined for a member, and for what cannot be the path of a variable. */
export const variableOf = (column: string): VariablePath | undefined =>
  column.startsWith(VARIABLE) ? parseVariablePath(column.slice(VARIABLE.length)) : undefined;

/** The keys of all variables that have columns. */
export const keysOf = (columns: readonly string[]): string[] => [
  ...new Set(columns.flatMap((id) => variableOf(id)?.key ?? [])),
];

interface Props {
  readonly members: readonly { readonly id: string; readonly title: string }[];
  /** The shown columns, in order. */
  readonly columns: readonly string[];
  readonly onChange: (columns: string[]) => void;
  readonly hasVariables?: boolean;
}

/** Chooses the columns of a list: members, and any variable. */
export function ColumnChooser({ members, columns, onChange, hasVariables = true }: Props) {
  const paths = columns.flatMap((id) => variableOf(id)?.text ?? []);
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
                size="xs"
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
