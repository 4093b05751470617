import { Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { PlainRequest } from '../api/request';
import { situationOf, type Conflict, type ConflictValue, type Side, type Situation } from './conflict';
import { LabelPills } from './label-pills';
import { MemberReference, referringMember } from './member-references';
import { Notice } from './notice';
import { ErrorAlert } from './states';
import { VariableValue } from './variable-value';

interface Props {
  readonly conflict: Conflict;
  readonly onReplace: (request: PlainRequest) => void;
  /** Called with the operations of a batch that are in conflict. */
  readonly onKeep: (inConflict: readonly number[]) => void;
}

interface Answer {
  readonly title: string;
  readonly text?: string;
  /** The button that leaves it as it is. */
  readonly keep: string;
  readonly replace?: string;
}

/** What is said in a situation, and the button that goes on with the write, if there is one. */
const SITUATIONS: Readonly<Record<Situation, Answer>> = {
  changed: { title: 'Changed by another user meanwhile', keep: 'Keep theirs', replace: 'Replace with mine' },
  set: { title: 'It is already set', keep: 'Keep theirs', replace: 'Replace with mine' },
  same: {
    title: 'Nothing is left to write',
    text: 'It already is as you want it.',
    keep: 'Close',
  },
  untouched: {
    title: 'Changed by another user meanwhile',
    text: 'But not what you change here.',
    keep: 'Discard mine',
    replace: 'Go on',
  },
};

/** The value before the editing, the one that somebody else wrote meanwhile, and the one to write. */
export function ThreeWay({ conflict, onReplace, onKeep }: Props) {
  const { data, error } = useQuery({
    queryKey: ['conflict', conflict.base, conflict.mine],
    queryFn: ({ signal }) => conflict.read(signal),
    gcTime: 0,
    staleTime: 0,
  });
  const { base, mine } = { ...conflict, ...data };
  const situation = situationOf(base, mine, data);
  const { title, text, keep, replace } = SITUATIONS[situation];
  return (
    <Notice kind="warning" title={title}>
      <Stack gap="sm">
        {text !== undefined && <Text size="sm">{text}</Text>}
        {situation === 'same' ? (
          <SideView title="Now" side={mine} />
        ) : (
          <SimpleGrid cols={{ base: 1, sm: base ? 3 : 2 }} spacing="sm">
            {base && <SideView title="When you began" side={base} />}
            {data ? <SideView title="Now" side={data.theirs} /> : <Text size="sm">Reading…</Text>}
            <SideView title="Yours" side={mine} />
          </SimpleGrid>
        )}
        {error && <ErrorAlert error={error} />}
        <Group gap="xs">
          <Button
            variant="default"
            disabled={!data}
            onClick={() => {
              onKeep(data?.inConflict ?? []);
            }}
          >
            {keep}
          </Button>
          {replace !== undefined && (
            <Button
              disabled={!data}
              onClick={() => {
                if (data) onReplace(data.request);
              }}
            >
              {replace}
            </Button>
          )}
        </Group>
      </Stack>
    </Notice>
  );
}

interface SideProps {
  readonly title: string;
  readonly side: Side;
  /** The member of a resource that the value is; undefined for a variable. */
  readonly member?: string | undefined;
}

/** One of the values of a conflict. */
export const SideView = ({ title, side, member }: SideProps) => (
  <div>
    <Text size="xs" c="dimmed">
      {title}
    </Text>
    {!side ? (
      <Text size="sm">not set</Text>
    ) : 'value' in side ? (
      <SideValue value={side.value} member={member} />
    ) : (
      Object.entries(side.values).map(([name, value]) => (
        <div key={name}>
          <Text span size="sm">
            {name}:{' '}
          </Text>
          <SideValue {...value} />
        </div>
      ))
    )}
  </div>
);

/** A value of a variable, or that of a member as other pages show it: labels, and names of resources. */
function SideValue({ value, member }: ConflictValue) {
  if (member === undefined) return <VariableValue value={value} />;
  if (member === 'labels' && typeof value === 'string')
    return value === '' ? 'none' : <LabelPills labels={value} isLinked={() => false} />;
  const reference = referringMember(member);
  return reference && typeof value === 'number' ? (
    <MemberReference member={reference} id={value} />
  ) : (
    <VariableValue value={value} />
  );
}
