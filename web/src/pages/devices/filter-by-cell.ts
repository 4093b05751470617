import type { ListSearch } from '../../components/list-search';
import type { ListRow } from '../../components/member-columns';
import { variableOf } from '../../components/variable-column';
import { partOf } from '../../components/variable-path';
import { conditionsFor } from '../../components/where-condition';

/** The filters that select the devices with the value of a cell; undefined if it has none, or no filters express it. */
export function filterByCell(row: ListRow, column: string): ListSearch | undefined {
  const path = variableOf(column);
  if (path) {
    const resolved = row.explain?.[path.key];
    const part = resolved && partOf(resolved.value, path.steps);
    const where =
      part && conditionsFor(path.key, part.value, path.text.slice(path.key.length).replace(/^\./, ''));
    return where && { where: [...where] };
  }
  const { region_id, cell_id, cloud_id, active, device_type, labels = '' } = row;
  switch (column) {
    case 'region_id':
      return region_id === undefined ? undefined : { region_id: [region_id] };
    case 'cell_id':
      return cell_id === undefined || cell_id === null ? undefined : { cell_id: [cell_id] };
    case 'cloud_id':
      return cloud_id === undefined || cloud_id === null ? undefined : { cloud_id };
    case 'active':
      return active === undefined ? undefined : { active };
    case 'device_type':
      return device_type === undefined || device_type === '' ? undefined : { device_type: [device_type] };
    case 'labels':
      return labels === '' ? undefined : { label: labels.split(',') };
    default:
      return undefined;
  }
}
