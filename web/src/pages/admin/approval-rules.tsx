import { Button, Fieldset, Group, Stack, TextInput } from '@mantine/core';
import { Cross2Icon, PlusIcon } from '@radix-ui/react-icons';
import { deviceKinds, inventoryKinds, type components } from '@muster/api-types';
import { counted } from '../../components/counted';
import { TagsField } from '../../components/tags-field';
import { KeyTagsInput } from './key-tags-input';

type ApprovalRule = components['schemas']['ProjectSettings']['approvals'][number];

/** A rule as it is typed. Empty texts are not sent. */
export interface RuleFields {
  readonly keys: readonly string[];
  readonly collections: readonly string[];
  readonly min_devices: string;
  readonly approvals: string;
  readonly approvers: string;
}

export const fieldsOf = ({
  keys,
  collections,
  min_devices,
  approvals,
  approvers,
}: ApprovalRule): RuleFields => ({
  keys: keys ?? [],
  collections: collections ?? [],
  min_devices: min_devices === undefined ? '' : String(min_devices),
  approvals: String(approvals),
  approvers: approvers ?? '',
});

const isNumber = (text: string): boolean => /^[1-9]\d{0,8}$/.test(text);

/** The rule that the fields describe, or what is wrong with them. */
export function ruleOf({
  keys,
  collections,
  min_devices,
  approvals,
  approvers,
}: RuleFields): ApprovalRule | string {
  if (!isNumber(approvals)) return 'The number of approvals of a rule must be at least 1.';
  if (min_devices !== '' && !isNumber(min_devices))
    return 'The number of devices of a rule must be at least 1.';
  return {
    ...(keys.length === 0 ? {} : { keys: [...keys] }),
    ...(collections.length === 0 ? {} : { collections: [...collections] }),
    ...(min_devices === '' ? {} : { min_devices: Number(min_devices) }),
    approvals: Number(approvals),
    ...(approvers.trim() === '' ? {} : { approvers: approvers.trim() }),
  };
}

/** A rule in words: `ntp_* on regions, from 100 devices: 1 approval`. */
export function ruleText({ keys, collections, min_devices, approvals, approvers }: ApprovalRule): string {
  const what = keys === undefined ? 'Every change' : keys.join(', ');
  const where = collections === undefined ? '' : ` on ${collections.join(', ')}`;
  const size = min_devices === undefined ? '' : `, from ${counted(min_devices, 'device')}`;
  const who = approvers === undefined ? '' : ` by users with the role ${approvers}`;
  return `${what}${where}${size}: ${counted(approvals, 'approval')}${who}`;
}

const NEW_RULE: RuleFields = { keys: [], collections: [], min_devices: '', approvals: '1', approvers: '' };

const COLLECTIONS = [...inventoryKinds, ...deviceKinds].map(({ collection }) => collection);

interface Props {
  readonly rules: readonly RuleFields[];
  readonly onChange: (rules: RuleFields[]) => void;
}

/** The rules that demand approvals, each in a group of fields. */
export function ApprovalRules({ rules, onChange }: Props) {
  return (
    <Stack gap="xs">
      {rules.map((rule, i) => (
        <RuleGroup
          // Rules have no names, and are only added at the end.
          key={i}
          title={`Approval rule ${i + 1}`}
          rule={rule}
          onChange={(changed) => {
            onChange(rules.with(i, { ...rule, ...changed }));
          }}
          onRemove={() => {
            onChange(rules.toSpliced(i, 1));
          }}
        />
      ))}
      <Group>
        <Button
          variant="default"
          leftSection={<PlusIcon aria-hidden />}
          onClick={() => {
            onChange([...rules, NEW_RULE]);
          }}
        >
          Add a rule for approvals
        </Button>
      </Group>
    </Stack>
  );
}

interface GroupProps {
  readonly title: string;
  readonly rule: RuleFields;
  readonly onChange: (changed: Partial<RuleFields>) => void;
  readonly onRemove: () => void;
}

const RuleGroup = ({ title, rule, onChange, onRemove }: GroupProps) => (
  <Fieldset legend={title}>
    <Stack gap="xs">
      <KeyTagsInput
        label="Variables"
        description="Keys, or prefixes followed by *. Empty: whatever is changed."
        values={rule.keys}
        onChange={(keys) => {
          onChange({ keys });
        }}
      />
      <TagsField
        label="Collections"
        description="Where the change is made. Empty: anywhere."
        data={COLLECTIONS}
        value={[...rule.collections]}
        onChange={(collections) => {
          onChange({ collections });
        }}
      />
      <Group gap="xs" grow align="flex-end">
        <TextInput
          label="From … devices"
          inputMode="numeric"
          placeholder="any"
          value={rule.min_devices}
          onChange={(event) => {
            onChange({ min_devices: event.currentTarget.value.trim() });
          }}
        />
        <TextInput
          label="Approvals"
          inputMode="numeric"
          required
          value={rule.approvals}
          onChange={(event) => {
            onChange({ approvals: event.currentTarget.value.trim() });
          }}
        />
        <TextInput
          label="Role of approvers"
          placeholder="any"
          value={rule.approvers}
          onChange={(event) => {
            onChange({ approvers: event.currentTarget.value });
          }}
        />
      </Group>
      <Group justify="flex-end">
        <Button variant="subtle" leftSection={<Cross2Icon aria-hidden />} onClick={onRemove}>
          Remove the rule
        </Button>
      </Group>
    </Stack>
  </Fieldset>
);
