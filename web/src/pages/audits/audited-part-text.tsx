import { Text } from '@mantine/core';
import type { AuditedPart } from '../../api/audits';
import { useLocations } from '../../api/locations';
import { NO_ID } from '../../app/search-params';
import { LevelLink } from '../../components/level-link';
import { RouteLink } from '../../components/resource-link';

/** The part of the fleet whose failing devices are shown, and the way back to all. */
export function AuditedPartText({ part: { region_id, cell_id } }: { readonly part: AuditedPart }) {
  const { regionName, cellName } = useLocations();
  return (
    <Text size="sm">
      Only devices{' '}
      {region_id !== undefined && (
        <>
          in <LevelLink kind="region" id={region_id} name={regionName(region_id)} />
          {cell_id !== undefined && ' '}
        </>
      )}
      {cell_id === NO_ID && 'in no cell'}
      {typeof cell_id === 'number' && (
        <>
          in <LevelLink kind="cell" id={cell_id} name={cellName(cell_id)} />
        </>
      )}
      {'. '}
      <RouteLink to="." search={{}} size="sm">
        Show all failing devices
      </RouteLink>
    </Text>
  );
}
