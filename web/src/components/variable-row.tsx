import { ActionIcon, Group, NativeSelect, Text } from '@mantine/core';
import { collectionsByKind } from '@muster/api-types';
import { Cross2Icon, Pencil1Icon } from '@radix-ui/react-icons';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { kindWords } from '../api/kinds';
import { PreviewedWrite, type PlannedWrite } from './previewed-write';
import { ProvenanceChain, type ExplainedLevel } from './provenance-chain';
import { ResourceLink } from './resource-link';
import { useMissingRight } from './rights';
import { ErrorAlert } from './states';
import {
  NOT_SET,
  planSetVariable,
  planUnsetVariable,
  readOwnVariable,
  type OwnVariable,
  type VariableOwner,
} from './variable-write';
import classes from './variables-table.module.css';
import { ValueEditor } from './value-editor';

interface Props {
  readonly owner: VariableOwner;
  readonly name: string;
  readonly explanation: {
    readonly value: unknown;
    readonly source: { readonly kind: string };
    readonly levels: readonly ExplainedLevel[];
  };
  /** Who set the value, when and why. */
  readonly origin: ReactNode;
}

/** What is edited: the value that the resource, or a level it inherits from, sets itself. */
interface Editing {
  readonly target: VariableOwner;
  readonly base: OwnVariable;
}

/** The resource, and the levels from which it inherits the variable: the winning one first. */
const targetsOf = (owner: VariableOwner, levels: readonly ExplainedLevel[]): readonly VariableOwner[] => [
  owner,
  ...levels.toReversed().flatMap(({ kind, id, name }): VariableOwner[] => {
    const collection = new Map(Object.entries(collectionsByKind)).get(kind);
    return kind === owner.kind || collection === undefined
      ? []
      : [{ kind, collection, id, name: name ?? String(id) }];
  }),
];

const keyOf = ({ kind, id }: Pick<VariableOwner, 'kind' | 'id'>): string => `${kind}/${id}`;

/** One resolved variable. The pencil edits the own value, or overrides the inherited one; that of a level changes it there. */
export function VariableRow({ owner, name, explanation, origin }: Props) {
  const { source, levels } = explanation;
  const isOwn = source.kind === owner.kind;
  const missing = useMissingRight({ collection: owner.collection, keys: [name] });
  const targets = targetsOf(owner, levels);
  const [editing, setEditing] = useState<Editing>();
  const [plan, setPlan] = useState<PlannedWrite>();
  // The current value with its entity tag, so that a later change by somebody else is noticed.
  const edit = useMutation({
    mutationFn: async (target: VariableOwner) => ({
      target,
      base: target === owner && !isOwn ? NOT_SET : await readOwnVariable(target, name),
    }),
    // The level that was chosen last is read last.
    scope: { id: `edit ${keyOf(owner)} ${name}` },
    onSuccess: setEditing,
  });
  const unset = useMutation({
    mutationFn: () => readOwnVariable(owner, name),
    onSuccess: (own) => {
      setPlan(planUnsetVariable(owner, name, own));
    },
  });
  const failure = edit.error ?? unset.error;
  return (
    <tr>
      <td className={classes.key}>
        <ResourceLink kind="variable-key" id={null} name={name} />
      </td>
      <td>
        {editing ? (
          <>
            {targets.length > 1 && (
              <NativeSelect
                size="xs"
                label="Set on"
                value={keyOf(edit.isPending ? edit.variables : editing.target)}
                data={targets.map((one) => ({ value: keyOf(one), label: `${one.kind} ${one.name}` }))}
                onChange={({ currentTarget }) => {
                  edit.mutate(targets.find((one) => keyOf(one) === currentTarget.value) ?? owner);
                }}
              />
            )}
            <ShadowedText owner={owner} target={editing.target} levels={levels} />
            <ValueEditor
              owner={editing.target}
              label={`Value of ${name}`}
              name={name}
              value={editing.base.current ? editing.base.current.value : explanation.value}
              onSave={(text) => {
                // Another level was chosen just now, and is being read.
                if (!edit.isPending) setPlan(planSetVariable(editing.target, name, editing.base, text));
              }}
              onCancel={() => {
                setEditing(undefined);
              }}
            />
          </>
        ) : (
          <ProvenanceChain
            name={name}
            levels={levels}
            action={(level) => {
              const target = targets.find((one) => one !== owner && keyOf(one) === keyOf(level));
              return (
                target && (
                  <EditLevel
                    name={name}
                    level={target}
                    onEdit={() => {
                      edit.mutate(target);
                    }}
                  />
                )
              );
            }}
          />
        )}
        {failure && <ErrorAlert error={failure} />}
        {plan && (
          <PreviewedWrite
            write={plan}
            onClose={() => {
              setPlan(undefined);
            }}
            onApplied={() => {
              setEditing(undefined);
            }}
            onKeepTheirs={() => {
              setEditing(undefined);
            }}
            onProposed={() => {
              setPlan(undefined);
              setEditing(undefined);
            }}
          />
        )}
      </td>
      <td>{origin}</td>
      <td className={classes.actions}>
        <Group gap={2} wrap="nowrap">
          <ActionIcon
            aria-label={isOwn ? `Edit ${name}` : `Override ${name}`}
            title={missing?.message ?? (isOwn ? 'Edit' : `Override on ${owner.name}`)}
            loading={edit.isPending}
            onClick={() => {
              edit.mutate(owner);
            }}
          >
            <Pencil1Icon aria-hidden />
          </ActionIcon>
          {isOwn && (
            <ActionIcon
              aria-label={`Unset ${name}`}
              title={missing?.message ?? `Unset on ${owner.name}`}
              loading={unset.isPending}
              onClick={() => {
                unset.mutate();
              }}
            >
              <Cross2Icon aria-hidden />
            </ActionIcon>
          )}
        </Group>
      </td>
    </tr>
  );
}

interface EditLevelProps {
  readonly name: string;
  readonly level: VariableOwner;
  readonly onEdit: () => void;
}

/** A button that edits the value of a level at this level: for all devices that inherit it. */
function EditLevel({ name, level, onEdit }: EditLevelProps) {
  const missing = useMissingRight({ collection: level.collection, keys: [name] });
  const title = `Edit on ${kindWords(level.kind)} ${level.name}`;
  return (
    <ActionIcon
      className={classes.editLevel}
      size={24}
      aria-label={`${title}: ${name}`}
      title={missing?.message ?? title}
      onClick={onEdit}
    >
      <Pencil1Icon aria-hidden />
    </ActionIcon>
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
  if (!winner || target === owner || keyOf(winner) === keyOf(target)) return null;
  return (
    <Text size="xs">
      {owner.name} keeps the value of the {winner.kind} {winner.name ?? winner.id}.
    </Text>
  );
}
