import { collectionOfKind } from '../../api/kinds';
import { useLocations } from '../../api/locations';
import { CloudName } from '../../components/cloud-name';
import { LevelMark } from '../../components/level-mark';
import { ResourceLink, RouteLink } from '../../components/resource-link';
import { LabelsMember, Member, Members, MembersOfTime } from '../../components/resource-members';
import type { InventoryItem } from './inventory-query';

interface Props {
  readonly kind: string;
  readonly item: InventoryItem;
}

/** The members of a region, cell, label or cloud, and links to what belongs to it, except devices. */
export function InventoryMembers({ kind, item }: Props) {
  const locations = useLocations();
  return (
    <Members>
      {'region_id' in item && (
        <Member name="Region">
          <LevelMark level="region">
            <ResourceLink kind="region" id={item.region_id} name={locations.regionName(item.region_id)} />
          </LevelMark>
        </Member>
      )}
      {'cloud_id' in item && item.cloud_id !== null && (
        <Member name="Cloud">
          <CloudName id={item.cloud_id} />
        </Member>
      )}
      {kind === 'cloud' && (
        <Member name="Regions">
          <RouteLink
            to="/inventory/$collection"
            params={{ collection: 'regions' }}
            search={{ cloud_id: item.id }}
            size="sm"
          >
            Show them
          </RouteLink>
        </Member>
      )}
      {'cells' in item && (
        <Member name="Cells">
          <RouteLink
            to="/inventory/$collection"
            params={{ collection: 'cells' }}
            search={{ region_id: [item.id] }}
            size="sm"
          >
            {item.cells.length.toLocaleString()}
          </RouteLink>
        </Member>
      )}
      {'labels' in item && (
        <LabelsMember labels={item.labels}>
          {(label) => (
            <RouteLink
              to="/inventory/$collection"
              params={{ collection: collectionOfKind(kind) }}
              search={{ label: [label] }}
              size="sm"
            >
              {label}
            </RouteLink>
          )}
        </LabelsMember>
      )}
      {'note' in item && item.note !== null && <Member name="Note">{item.note}</Member>}
      <MembersOfTime {...item} />
    </Members>
  );
}
