import { Button, Checkbox, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { components } from '@muster/api-types';
import { api, unwrap } from '../../api/client';
import { jsonText } from '../../api/exact-json';
import { useProjectId } from '../../app/use-project';
import { FormDialog } from '../../components/form-dialog';
import { FormTextInput } from '../../components/form-text-input';
import { Member, Members } from '../../components/resource-members';
import { changedMembers, planUpdate } from '../../components/resource-write';
import { ErrorState, LoadingState } from '../../components/states';
import { useFields } from '../../components/use-fields';
import { ApprovalRules, fieldsOf, ruleOf, ruleText } from './approval-rules';
import { KeyTagsInput } from './key-tags-input';

type Settings = components['schemas']['ProjectSettings'];

/** The rules of the project: reasons of changes, private variables, addresses, readers and approvals. */
export function SettingsSection() {
  const project_id = useProjectId();
  const [isEditing, { open, close }] = useDisclosure(false);
  const { data, error, refetch } = useQuery({
    queryKey: ['settings', project_id],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/v1/projects/{id}/settings', { params: { path: { id: project_id } }, signal })),
  });
  if (error && !data) return <ErrorState error={error} what="the settings" onRetry={() => void refetch()} />;
  if (!data) return <LoadingState what="the settings" />;
  const { change_reason: reason, private: keys, unique_addresses, restricts_readers, approvals } = data;
  return (
    <Stack gap="sm" align="flex-start">
      <Members label="Settings">
        <Member name="Reason of a change">{reason?.required === true ? 'required' : 'optional'}</Member>
        {typeof reason?.pattern === 'string' && (
          <Member name="Reasons match">
            <code>{reason.pattern}</code>
          </Member>
        )}
        <Member name="Private variables">
          <code>{keys.length === 0 ? 'none' : keys.join(', ')}</code>
        </Member>
        <Member name="Unique addresses">{unique_addresses ? 'yes' : 'no'}</Member>
        <Member name="Restricts readers">{restricts_readers ? 'yes' : 'no'}</Member>
        <Member name="Approvals">
          {approvals.length === 0
            ? 'no rules'
            : approvals.map((rule, i) => <div key={i}>{ruleText(rule)}</div>)}
        </Member>
      </Members>
      <Button variant="default" onClick={open}>
        Edit the settings
      </Button>
      {isEditing && <SettingsForm base={data} onClose={close} />}
    </Stack>
  );
}

function SettingsForm({ base, onClose }: { readonly base: Settings; readonly onClose: () => void }) {
  const [fields, set] = useFields({
    required: base.change_reason?.required ?? false,
    pattern: base.change_reason?.pattern ?? '',
    private: base.private,
    unique_addresses: base.unique_addresses,
    restricts_readers: base.restricts_readers,
    rules: base.approvals.map(fieldsOf),
  });
  const plan = () => {
    const { required, pattern, rules, ...others } = fields;
    const planned = rules.map(ruleOf);
    const problem = planned.find((rule) => typeof rule === 'string');
    if (problem !== undefined) return problem;
    const approvals = planned.filter((rule) => typeof rule !== 'string');
    const hasRule = required || pattern !== '';
    const change_reason = hasRule ? { pattern: pattern === '' ? null : pattern, required } : null;
    const changed = changedMembers(base, { change_reason, approvals, ...others });
    if (Object.keys(changed).length === 0) return 'Nothing was changed.';
    const path = `/v1/projects/${base.project_id}/settings`;
    const command = ['muster', 'project', 'settings', 'set', ...settingsFlags(changed)];
    return planUpdate({ title: 'Change the settings of the project', command }, path, base, changed);
  };
  return (
    <FormDialog title="Edit the settings" plan={plan} onApplied={onClose} onClose={onClose}>
      <Checkbox
        label="Every change needs a reason"
        data-autofocus
        checked={fields.required}
        onChange={(event) => {
          set({ required: event.currentTarget.checked });
        }}
      />
      <FormTextInput
        name="change_reason.pattern"
        label="Pattern of reasons"
        description="A regular expression (RE2) that a part of every reason must match. Empty: any reason."
        placeholder="^CHG-[0-9]+"
        value={fields.pattern}
        onChange={(event) => {
          set({ pattern: event.currentTarget.value });
        }}
      />
      <KeyTagsInput
        label="Private variables"
        description="Keys, or prefixes followed by *, that only admins and users with a role for them see."
        values={fields.private}
        onChange={(keys) => {
          set({ private: keys });
        }}
      />
      <Checkbox
        label="Unique addresses"
        description="A device cannot get the address of another device."
        checked={fields.unique_addresses}
        onChange={(event) => {
          set({ unique_addresses: event.currentTarget.checked });
        }}
      />
      <Checkbox
        label="Restrict readers"
        description="Users without roles see no other users and no change records, and create no API keys."
        checked={fields.restricts_readers}
        onChange={(event) => {
          set({ restricts_readers: event.currentTarget.checked });
        }}
      />
      <ApprovalRules
        rules={fields.rules}
        onChange={(rules) => {
          set({ rules });
        }}
      />
    </FormDialog>
  );
}

type Changed = Partial<
  Pick<Settings, 'change_reason' | 'private' | 'unique_addresses' | 'restricts_readers' | 'approvals'>
>;

/** The options of `muster project settings set`. */
function settingsFlags(changed: Changed): readonly string[] {
  const { change_reason: reason, private: keys, unique_addresses, restricts_readers, approvals } = changed;
  const flag = (name: string, value: boolean | undefined) =>
    value === undefined ? [] : [value ? `--${name}` : `--no-${name}`];
  const pattern = reason?.pattern ?? undefined;
  return [
    ...(reason === undefined
      ? []
      : [
          ...flag('require-reason', reason?.required ?? false),
          ...(pattern === undefined ? ['--no-reason-pattern'] : ['--reason-pattern', pattern]),
        ]),
    ...(keys === undefined ? [] : keys.length === 0 ? ['--no-private'] : []),
    ...(keys ?? []).flatMap((key) => ['--private', key]),
    ...flag('unique-addresses', unique_addresses),
    ...flag('restrict-readers', restricts_readers),
    ...(approvals === undefined
      ? []
      : approvals.length === 0
        ? ['--no-approvals']
        : ['--approvals', jsonText(approvals)]),
  ];
}
