import { ActionIcon, Group } from '@mantine/core';
import { Cross2Icon, Pencil1Icon } from '@radix-ui/react-icons';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
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

/** One resolved variable. The pencil edits the own value, or overrides the inherited one. */
export function VariableRow({ owner, name, explanation, origin }: Props) {
  const { source, levels } = explanation;
  const isOwn = source.kind === owner.kind;
  const missing = useMissingRight({ collection: owner.collection, keys: [name] });
  const [base, setBase] = useState<OwnVariable>();
  const [plan, setPlan] = useState<PlannedWrite>();
  // The current value with its entity tag, so that a later change by somebody else is noticed.
  const edit = useMutation({
    mutationFn: () => (isOwn ? readOwnVariable(owner, name) : Promise.resolve(NOT_SET)),
    onSuccess: setBase,
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
        {base ? (
          <ValueEditor
            owner={owner}
            label={`Value of ${name}`}
            name={name}
            value={base.current ? base.current.value : explanation.value}
            onSave={(text) => {
              setPlan(planSetVariable(owner, name, base, text));
            }}
            onCancel={() => {
              setBase(undefined);
            }}
          />
        ) : (
          <ProvenanceChain name={name} levels={levels} />
        )}
        {failure && <ErrorAlert error={failure} />}
        {plan && (
          <PreviewedWrite
            write={plan}
            onClose={() => {
              setPlan(undefined);
            }}
            onApplied={() => {
              setBase(undefined);
            }}
            onProposed={() => {
              setPlan(undefined);
              setBase(undefined);
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
              edit.mutate();
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
