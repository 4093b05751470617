import { ActionIcon, Button, Group, Stack } from '@mantine/core';
import { Cross2Icon, Pencil1Icon, PlusIcon } from '@radix-ui/react-icons';
import { useState, type ReactNode } from 'react';
import { PreviewedWrite, type PlannedWrite } from './previewed-write';
import { SmallTable, type SmallColumn } from './small-table';
import type { SmallList } from './use-small-list';

/** What a form gets that creates a resource, or changes `base`. */
export interface FormProps<T> {
  readonly base: T | undefined;
  readonly onClose: () => void;
}

interface Props<T> {
  /** What the rows are: `users`. */
  readonly label: string;
  readonly list: SmallList<T>;
  readonly columns: readonly SmallColumn<T>[];
  readonly keyOf: (row: T) => string | number;
  /** As in "Edit operator". */
  readonly nameOf: (row: T) => string;
  /** The text of the button: `Create a user`. */
  readonly create: string;
  readonly form: (props: FormProps<T>) => ReactNode;
  /** Undefined if rows cannot be changed. */
  readonly edit?: string;
  /** The deletion of a row; undefined if it cannot be deleted. */
  readonly planDelete: (row: T) => PlannedWrite | undefined;
  readonly deleteVerb?: string;
  readonly toolbar?: ReactNode;
  readonly empty: ReactNode;
}

/** A small table whose rows are created and changed in a form, and deleted. All writes are previewed. */
export function ManagedList<T>({
  nameOf,
  create,
  form: renderForm,
  edit,
  planDelete,
  deleteVerb = 'Delete',
  toolbar,
  ...table
}: Props<T>) {
  const [form, setForm] = useState<{ readonly base: T | undefined }>();
  const [deletion, setDeletion] = useState<PlannedWrite>();
  const actions = (row: T) => {
    const planned = planDelete(row);
    return (
      <Group gap={2} wrap="nowrap" justify="flex-end">
        {edit !== undefined && (
          <ActionIcon
            aria-label={`${edit} ${nameOf(row)}`}
            title={edit}
            onClick={() => {
              setForm({ base: row });
            }}
          >
            <Pencil1Icon aria-hidden />
          </ActionIcon>
        )}
        {planned && (
          <ActionIcon
            aria-label={`${deleteVerb} ${nameOf(row)}`}
            title={deleteVerb}
            onClick={() => {
              setDeletion(planned);
            }}
          >
            <Cross2Icon aria-hidden />
          </ActionIcon>
        )}
      </Group>
    );
  };
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Button
          variant="default"
          leftSection={<PlusIcon aria-hidden />}
          onClick={() => {
            setForm({ base: undefined });
          }}
        >
          {create}
        </Button>
        {toolbar}
      </Group>
      <SmallTable {...table} actions={actions} />
      {form &&
        renderForm({
          base: form.base,
          onClose: () => {
            setForm(undefined);
          },
        })}
      {deletion && (
        <PreviewedWrite
          write={deletion}
          onClose={() => {
            setDeletion(undefined);
          }}
        />
      )}
    </Stack>
  );
}
