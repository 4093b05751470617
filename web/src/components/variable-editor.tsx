import { NativeSelect, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { DeferredWrite } from './planned-write';
import type { ExplainedLevel } from './provenance-chain';
import { ErrorAlert } from './states';
import { ValueEditor } from './value-editor';
import {
  NOT_SET,
  ownerKey,
  planSetVariable,
  readOwnVariable,
  seenVariable,
  type VariableOwner,
} from './variable-write';

/** A resolved value, and the levels that set it: broadest first. */
export interface Explanation {
  readonly value: unknown;
  readonly levels: readonly ExplainedLevel[];
}

interface Props {
  readonly owner: VariableOwner;
  readonly name: string;
  readonly explanation: Explanation;
  /** The resource, and the levels from which it inherits the variable. */
  readonly targets: readonly VariableOwner[];
  /** The one that is edited. */
  readonly target: VariableOwner;
  readonly onTarget: (target: VariableOwner) => void;
  /** Called with the write to preview. */
  readonly onPlan: (plan: DeferredWrite) => void;
  readonly onCancel: () => void;
}

/** Edits the value that the page shows of a resource or a level. What is stored there is read meanwhile, with its entity tag. */
export function VariableEditor({
  owner,
  name,
  explanation,
  targets,
  target,
  onTarget,
  onPlan,
  onCancel,
}: Props) {
  const { value, levels } = explanation;
  const shown = levels.find((level) => ownerKey(level) === ownerKey(target));
  const read = (signal: AbortSignal) =>
    shown ? readOwnVariable(target, name, signal) : Promise.resolve(NOT_SET);
  const { data: own, error } = useQuery({
    queryKey: [target.collection, target.id, 'own-variable', name],
    queryFn: ({ signal }) => read(signal),
    // As it was when the editing began: a later change by somebody else is noticed.
    staleTime: 'static',
    gcTime: 0,
  });
  const current = own ? own.current : shown;
  return (
    <>
      {targets.length > 1 && (
        <NativeSelect
          size="xs"
          label="Set on"
          value={ownerKey(target)}
          data={targets.map((one) => ({ value: ownerKey(one), label: `${one.kind} ${one.name}` }))}
          onChange={({ currentTarget }) => {
            onTarget(targets.find((one) => ownerKey(one) === currentTarget.value) ?? owner);
          }}
        />
      )}
      <ShadowedText owner={owner} target={target} levels={levels} />
      <ValueEditor
        owner={target}
        label={`Value of ${name}`}
        name={name}
        value={current ? current.value : value}
        onSave={(text) => {
          const readBase = async (signal: AbortSignal) => seenVariable(current, own ?? (await read(signal)));
          onPlan(planSetVariable(target, name, readBase, text));
        }}
        onCancel={onCancel}
      />
      {error && <ErrorAlert error={error} />}
    </>
  );
}

interface ShadowedProps {
  readonly owner: VariableOwner;
  readonly target: VariableOwner;
  readonly levels: readonly ExplainedLevel[];
}

/** That the resource itself resolves another value, because a narrower level sets it, too. */
function ShadowedText({ owner, target, levels }: ShadowedProps) {
  const winner = levels.at(-1);
  if (!winner || target === owner || ownerKey(winner) === ownerKey(target)) return null;
  return (
    <Text size="xs">
      {owner.name} keeps the value of the {winner.kind} {winner.name ?? winner.id}.
    </Text>
  );
}
