import { Autocomplete, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { defaultKind } from '../../api/kinds';
import { useLocations } from '../../api/locations';
import { counted } from '../../components/counted';
import { SmallTable } from '../../components/small-table';
import { useFields } from '../../components/use-fields';
import { ansibleItems, type AnsibleInventory, type GroupTarget } from './ansible-items';
import { itemsBody } from './import-file';
import { PreviewImport } from './preview-import';

const TARGETS: readonly { readonly value: GroupTarget; readonly label: string }[] = [
  { value: 'label', label: 'a label' },
  { value: 'region', label: 'the region' },
  { value: 'cell', label: 'the cell' },
  { value: '', label: 'nothing' },
];

interface Props {
  readonly name: string;
  readonly inventory: AnsibleInventory;
}

/** An Ansible inventory: what each group becomes. */
export function AnsibleForm({ name, inventory }: Props) {
  const { groups, allGroups } = inventory;
  const hasGroupVariables = allGroups.some(({ variables }) => Object.keys(variables).length > 0);
  const [targets, setTargets] = useState<ReadonlyMap<string, GroupTarget>>(
    () => new Map(groups.map(({ name: group }) => [group, 'label'])),
  );
  const [values, change] = useFields({ region: '', device_type: 'server', ip_address: '' });
  const { regions } = useLocations();
  return (
    <Stack gap="md">
      <Text size="sm">
        {counted(inventory.devices.size, 'device')}{' '}
        {hasGroupVariables ? (
          <>
            and the variables of groups. They are set on what the group becomes, those of <code>all</code> on
            the regions; where a device would resolve another value than in Ansible, it gets its own.
          </>
        ) : (
          <>
            with the variables that Ansible resolves for each. Export with <code>--export</code> to set those
            of groups on regions, cells and labels.
          </>
        )}
      </Text>
      <SmallTable
        label="Groups of the inventory"
        list={{
          rows: groups,
          isPending: false,
          error: null,
          retry: () => undefined,
          onMore: undefined,
          isLoadingMore: false,
        }}
        keyOf={({ name: group }) => group}
        columns={[
          { header: 'Group', render: ({ name: group }) => group },
          { header: 'Devices', render: ({ hosts }) => hosts.size.toLocaleString() },
          {
            header: 'Becomes',
            render: ({ name: group }) => (
              <Select
                aria-label={`What ${group} becomes`}
                data={TARGETS}
                allowDeselect={false}
                value={targets.get(group) ?? ''}
                onChange={(value) => {
                  const target = TARGETS.find((one) => one.value === value)?.value ?? '';
                  setTargets(new Map(targets).set(group, target));
                }}
              />
            ),
          },
        ]}
        empty={<Text size="sm">The inventory has no groups.</Text>}
      />
      <Group gap="xs" align="flex-start">
        <Autocomplete
          label="Region"
          description="Of devices that no group gives one"
          data={regions.map((region) => region.name)}
          limit={100}
          value={values.region}
          onChange={(region) => {
            change({ region });
          }}
        />
        <Autocomplete
          label="Device type"
          description="Of all devices"
          value={values.device_type}
          onChange={(device_type) => {
            change({ device_type });
          }}
        />
        <TextInput
          label="Address"
          description="Of devices without one, such as 0.0.0.0"
          value={values.ip_address}
          onChange={({ currentTarget }) => {
            change({ ip_address: currentTarget.value });
          }}
        />
      </Group>
      {inventory.refusedKeys.length > 0 && (
        <Text size="sm" role="status">
          Not imported, because they are no keys of variables: {inventory.refusedKeys.join(', ')}.
        </Text>
      )}
      <PreviewImport
        name={name}
        bodyOf={() =>
          itemsBody(
            ansibleItems(inventory, targets, {
              kind: defaultKind.kind,
              region: values.region.trim(),
              device_type: values.device_type.trim(),
              ip_address: values.ip_address.trim(),
            }),
          )
        }
      />
    </Stack>
  );
}
