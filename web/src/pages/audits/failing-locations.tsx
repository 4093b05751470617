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
  readonly kind: 'region' | 'cell';
}

const TITLES = {
  region: { one: 'Region', all: 'Regions with failing devices' },
  cell: { one: 'Cell', all: 'Cells with failing devices' },
} as const;

/** The regions or cells with the most failing devices of a run, with links to those that fail, and to all that are audited. */
export const FailingLocations = ({ audit, run: { regions, cells }, kind }: Props) => (
  <table className={tableClasses.table} aria-label={TITLES[kind].all}>
    <thead>
      <tr>
        <th scope="col">{TITLES[kind].one}</th>
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
      {(kind === 'region' ? regions : cells).map(({ id, name, devices, failed }) => (
        <tr key={id}>
          <td data-header={TITLES[kind].one}>
            <LevelLink {...{ kind, id, name }} />
          </td>
          <td data-header="Devices that fail" className={tableClasses.number}>
            <RouteLink
              to="/audits/$id"
              params={{ id: String(audit.id) }}
              search={{ [`${kind}_id` as const]: id }}
              size="sm"
            >
              {count.format(failed)}
            </RouteLink>
          </td>
          <td data-header="Share" style={{ verticalAlign: 'middle' }}>
            <ShareBar part={failed} total={devices} level={kind} />
          </td>
          <td data-header="Audited devices" className={tableClasses.number}>
            {audit.kind === null ? (
              // A list has one kind.
              count.format(devices)
            ) : (
              <RouteLink
                to="/devices"
                search={{
                  collection: collectionOf(audit.kind),
                  ...searchOf(audit),
                  [`${kind}_id` as const]: [id],
                }}
                size="sm"
              >
                {count.format(devices)}
              </RouteLink>
            )}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);
