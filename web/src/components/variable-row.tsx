import { ActionIcon, Group } from '@mantine/core';
import { collectionsByKind } from '@muster/api-types';
import { Cross2Icon, Pencil1Icon } from '@radix-ui/react-icons';
import { useState, type ReactNode } from 'react';
import { kindWords } from '../api/kinds';
import type { DeferredWrite } from './planned-write';
import { PreviewedWrite } from './previewed-write';
import { ProvenanceChain, type ExplainedLevel } from './provenance-chain';
import { ResourceLink } from './resource-link';
import { useMissingRight } from './rights';
import { VariableEditor, type Explanation } from './variable-editor';
import { ownerKey, planUnsetVariable, type VariableOwner } from './variable-write';
import classes from './variables-table.module.css';

interface Props {
  readonly owner: VariableOwner;
  readonly name: string;
  readonly explanation: Explanation & { readonly source: { readonly kind: string } };
  /** Who set the value, when and why. */
  readonly origin: ReactNode;
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

/** One resolved variable. The pencil edits the own value, or overrides the inherited one; that of a level changes it there. */
export function VariableRow({ owner, name, explanation, origin }: Props) {
  const { source, levels } = explanation;
  const isOwn = source.kind === owner.kind;
  const missing = useMissingRight({ collection: owner.collection, keys: [name] });
  const targets = targetsOf(owner, levels);
  // Where it is edited; undefined while it is not.
  const [target, setTarget] = useState<VariableOwner>();
  const [plan, setPlan] = useState<DeferredWrite>();
  const stopEditing = () => {
    setTarget(undefined);
  };
  return (
    <tr>
      <td className={classes.key}>
        <ResourceLink kind="variable-key" id={null} name={name} />
      </td>
      <td>
        {target && (
          <VariableEditor
            owner={owner}
            name={name}
            explanation={explanation}
            targets={targets}
            target={target}
            onTarget={setTarget}
            onPlan={setPlan}
            onCancel={stopEditing}
          />
        )}
        {/* Not removed: after editing, the button of a level gets the focus back. */}
        <div hidden={target !== undefined}>
          <ProvenanceChain
            name={name}
            levels={levels}
            action={(level) => {
              const inherited = targets.find((one) => one !== owner && ownerKey(one) === ownerKey(level));
              return (
                inherited && (
                  <EditLevel
                    name={name}
                    level={inherited}
                    onEdit={() => {
                      setTarget(inherited);
                    }}
                  />
                )
              );
            }}
          />
        </div>
        {plan && (
          <PreviewedWrite
            write={plan}
            onClose={() => {
              setPlan(undefined);
            }}
            onApplied={stopEditing}
            onKeepTheirs={stopEditing}
            onProposed={stopEditing}
          />
        )}
      </td>
      <td>{origin}</td>
      <td className={classes.actions}>
        <Group gap={2} wrap="nowrap">
          <ActionIcon
            aria-label={isOwn ? `Edit ${name}` : `Override ${name}`}
            title={missing?.message ?? (isOwn ? 'Edit' : `Override on ${owner.name}`)}
            onClick={() => {
              setTarget(owner);
            }}
          >
            <Pencil1Icon aria-hidden />
          </ActionIcon>
          {isOwn && (
            <ActionIcon
              aria-label={`Unset ${name}`}
              title={missing?.message ?? `Unset on ${owner.name}`}
              onClick={() => {
                setPlan(planUnsetVariable(owner, name, explanation));
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
