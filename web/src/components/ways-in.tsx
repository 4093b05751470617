import { Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { defaultKind, kindWords } from '../api/kinds';
import { useLocations } from '../api/locations';
import { CommandText } from './command-text';
import { RouteLink } from './resource-link';

const ANSIBLE = `ansible-inventory -i inventory --list --export > inventory.json
muster import --from ansible inventory.json > map.yaml
muster import --from ansible inventory.json --mapping map.yaml --dry-run`;

const NETBOX = `muster import --from netbox --print-mapping > netbox.yaml
muster import --from netbox --mapping netbox.yaml --dry-run`;

const DEMO = 'npm run -s demo';

/** What a project without devices offers: the ways to get some. */
export function WaysIn() {
  const { regions } = useLocations();
  const words = kindWords(defaultKind.kind);
  return (
    <Stack component="section" aria-label="Ways to begin" gap="md" maw={720}>
      <Title order={2}>No devices yet</Title>
      <Way title="By hand">
        {regions.length === 0
          ? `A ${words} belongs to a region, so create a region first.`
          : `There ${regions.length === 1 ? 'is a region' : 'are regions'} already: create the first ${words} in one.`}
        <Group gap="md">
          {regions.length === 0 && (
            <RouteLink
              to="/inventory/$collection"
              params={{ collection: 'regions' }}
              search={{ create: true }}
              size="sm"
            >
              New region
            </RouteLink>
          )}
          <RouteLink to="/devices" search={{ create: true }} size="sm">
            New {words}
          </RouteLink>
        </Group>
      </Way>
      <Way title="From a file">
        A table of a spreadsheet (CSV), YAML, NDJSON or JSON.
        <Group>
          <RouteLink to="/import" size="sm">
            Import a file
          </RouteLink>
        </Group>
      </Way>
      <Way title="From Ansible">
        The second command proposes how groups become regions, cells and labels. The last one only shows what
        would change.
        <CommandText text={ANSIBLE} />
      </Way>
      <Way title="From NetBox">
        The first command proposes how its objects become regions, cells, labels and devices.
        <CommandText text={NETBOX} />
      </Way>
      <Way title="To try it out">
        An example fleet. Run it in the folder of Muster.
        <CommandText text={DEMO} />
      </Way>
    </Stack>
  );
}

const Way = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <div>
    <Title order={3}>{title}</Title>
    <Text component="div" size="sm">
      {children}
    </Text>
  </div>
);
