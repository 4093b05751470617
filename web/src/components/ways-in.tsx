import { Group, Text, Title } from '@mantine/core';
import { shellWord } from '@muster/api-types';
import { useSuspenseQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { defaultKind, kindWords } from '../api/kinds';
import { useLocations } from '../api/locations';
import { serviceUrl } from '../api/page-project';
import { sessionQuery } from '../api/session';
import { useProject } from '../app/use-project';
import { CommandText } from './command-text';
import { RouteLink } from './resource-link';
import classes from './ways-in.module.css';

const ANSIBLE = `ansible-inventory -i inventory --list --export > inventory.json
muster import --from ansible inventory.json > map.yaml
muster import --from ansible inventory.json --mapping map.yaml --dry-run`;

const NETBOX = `muster import --from netbox --print-mapping > netbox.yaml
muster import --from netbox --mapping netbox.yaml --dry-run`;

/** @param project its id */
const demo = (project: string, username: string): string =>
  [
    `export MUSTER_URL=${serviceUrl}`,
    `export MUSTER_PROJECT=${project}`,
    `export MUSTER_USER=${shellWord(username)} MUSTER_TOKEN=…`,
    'npm run -s demo',
  ].join('\n');

/** What a project without devices offers: the ways to get some. */
export function WaysIn() {
  const { regions } = useLocations();
  const { user } = useSuspenseQuery(sessionQuery).data;
  const project = useProject();
  const words = kindWords(defaultKind.kind);
  return (
    <section aria-label="Ways to begin" data-spans-columns>
      <Title order={2} pb="md">
        No devices yet
      </Title>
      <div className={classes.ways}>
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
          The second command proposes how groups become regions, cells and labels. The last one only shows
          what would change.
          <CommandText text={ANSIBLE} />
        </Way>
        <Way title="From NetBox">
          The first command proposes how its objects become regions, cells, labels and devices.
          <CommandText text={NETBOX} />
        </Way>
        <Way title="To try it out">
          An example fleet for this project: regions, cells, devices, labels, variables, a cloud and a user.
          An admin runs it in the folder of Muster, with an API key in place of the dots.
          <CommandText text={demo(project.id, user.username)} />
        </Way>
      </div>
    </section>
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
