import { Button, Group, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { send } from '../../api/request';
import { useProjectId } from '../../app/use-project';
import { MomentInput } from '../../components/moment-input';
import type { ComparedCollection } from './compared';

/** How many names are offered. */
const MAX_OFFERED = 20;

interface Named {
  readonly id: number;
  readonly name?: string;
  readonly label?: string;
}

const nameOf = ({ name, label }: Named): string => name ?? label ?? '';

interface Props {
  readonly title: string;
  readonly collection: ComparedCollection;
  readonly id: number | undefined;
  readonly at: string | undefined;
  readonly onChange: (id: number | undefined, at: string | undefined) => void;
}

/** Chooses a resource by its name, and a moment. */
export function SidePicker({ title, collection, id, at, onChange }: Props) {
  const [typed, setTyped] = useState<string>();
  const [moment, setMoment] = useState(at);
  const project_id = useProjectId();
  const listId = useId();
  const current = useQuery({
    queryKey: [collection, id ?? null, 'named', at ?? null],
    queryFn: async ({ signal }) =>
      (
        await send(
          { method: 'GET', path: `/v1/${collection}/${String(id)}`, query: at === undefined ? {} : { at } },
          signal,
        )
      ).body as Named,
    enabled: id !== undefined,
  });
  const text = typed ?? (current.data ? nameOf(current.data) : '');
  const offered = useQuery({
    queryKey: [collection, project_id, 'offered', text],
    queryFn: async ({ signal }) => {
      const name = collection === 'labels' ? 'label' : 'name';
      const query = { project_id, name_prefix: text, fields: `id,${name}`, limit: MAX_OFFERED };
      return (await send({ method: 'GET', path: `/v1/${collection}`, query }, signal))
        .body as readonly Named[];
    },
    enabled: typed !== undefined,
  });
  const found = offered.data?.find((one) => nameOf(one) === text);
  const isUnknown = typed !== undefined && typed !== '' && offered.data !== undefined && !found;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onChange(typed === undefined ? id : found?.id, moment);
      }}
    >
      <Group gap="xs" align="end">
        <TextInput
          label={title}
          placeholder="Name"
          list={listId}
          value={text}
          error={isUnknown ? 'No such name.' : undefined}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
          }}
        />
        <datalist id={listId}>
          {offered.data?.map((one) => (
            <option key={one.id} value={nameOf(one)} />
          ))}
        </datalist>
        <MomentInput label={`${title}: at (empty: now)`} value={moment} onChange={setMoment} />
        <Button
          type="submit"
          variant="default"
          disabled={isUnknown}
          aria-label={`Show the ${title.toLowerCase()}`}
        >
          Show
        </Button>
      </Group>
    </form>
  );
}
