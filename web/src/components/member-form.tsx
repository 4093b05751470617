import { useState } from 'react';
import { useLocations } from '../api/locations';
import { type DeviceLocation, moveEffect } from './device-location';
import { withEntered } from './entered-members';
import { FormDialog } from './form-dialog';
import type { MemberDescription, Values } from './member-description';
import { MemberField } from './member-field';
import { MoveEffect } from './move-effect';
import type { PlannedWrite } from './planned-write';
import { RightsHint } from './rights';
import type { VariableOwner } from './variable-write';

interface Props {
  readonly owner: VariableOwner;
  readonly members: readonly MemberDescription[];
  readonly values: Values;
  /** The write of the members that were changed; there is at least one. */
  readonly plan: (changed: Values) => PlannedWrite;
  readonly onClose: () => void;
}

/** A form with a field for each member of a resource. Loaded when it is opened. */
export function MemberDialog({ owner, members, values, plan, onClose }: Props) {
  const [entered, setEntered] = useState<Values>({});
  const current = { ...values, ...entered };
  const changed = Object.entries(entered).filter(([name, value]) => value !== values[name]);
  return (
    <FormDialog
      title={`Edit ${owner.name}`}
      plan={() => (changed.length === 0 ? 'Nothing is changed.' : plan(Object.fromEntries(changed)))}
      onClose={onClose}
      onApplied={onClose}
    >
      <RightsHint collection={owner.collection} />
      {members.map((member, i) => (
        <MemberField
          key={member.name}
          member={member}
          value={current[member.name]}
          region={current['region_id']}
          isFirst={i === 0}
          onChange={(value) => {
            setEntered(withEntered(values, entered, member.name, value));
          }}
        />
      ))}
      <MemberMoveEffect values={values} current={current} />
    </FormDialog>
  );
}

/** What another region or cell does besides. */
function MemberMoveEffect({ values, current }: { readonly values: Values; readonly current: Values }) {
  const { cellTitle } = useLocations();
  const [from, to] = [locationOf(values), locationOf(current)];
  return from && to && <MoveEffect text={moveEffect(from, to, cellTitle)} />;
}

/** Where a device with these members is; undefined for other resources. */
function locationOf({ region_id, cell_id }: Values): DeviceLocation | undefined {
  if (typeof region_id !== 'number' || cell_id === undefined) return undefined;
  return { region_id, cell_id: typeof cell_id === 'number' ? cell_id : null };
}
