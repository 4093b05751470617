import { RouteLink } from '../../components/resource-link';
import { LevelLink } from '../../components/level-link';
import { ShareBar } from '../../components/share-bar';
import tableClasses from '../../components/small-table.module.css';
import type { Audit, PastRun } from '../../api/audits';
import { collectionOf, searchOf } from './audit-texts';

const count = new Intl.NumberFormat();

interface Props {
  readonly audit: Audit;
  readonly run: PastRun;
}

/** The regions with the most failing devices of a run, each with a link to its audited devices. */
export const FailingRegions = ({ audit, run: { regions } }: Props) => (
  <table className={tableClasses.table} aria-label="Regions with failing devices">
    <thead>
      <tr>
        <th scope="col">Region</th>
        <th scope="col" className={tableClasses.number}>
          Devices that fail
        </th>
        <th scope="col">Share</th>
        <th scope="col" className={tableClasses.number}>
          Audited devices
        </th>
      </tr>
    </thead>
    <tbody>
      {regions.map(({ id, name, devices, failed }) => (
        <tr key={id}>
          <td data-header="Region">
            <LevelLink kind="region" id={id} name={name} />
          </td>
          <td data-header="Devices that fail" className={tableClasses.number}>
            {count.format(failed)}
          </td>
          <td data-header="Share" style={{ verticalAlign: 'middle' }}>
            <ShareBar part={failed} total={devices} level="region" />
          </td>
          <td data-header="Audited devices" className={tableClasses.number}>
            <RouteLink
              to="/devices"
              search={{ collection: collectionOf(audit.kind), ...searchOf(audit), region_id: id }}
              size="sm"
            >
              {count.format(devices)}
            </RouteLink>
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);
