import { NO_ID } from '../../app/search-params';
import { ResourceLink, RouteLink } from '../resource-link';
import type { Category, FleetMapData } from './fleet-map-queries';
import classes from './fleet-map.module.css';
import type { TiledRegion } from './fleet-tiles';

interface Props {
  readonly regions: readonly TiledRegion[];
  readonly categories: readonly Category[];
  /** The list of the devices of a tile; undefined: no list has the devices of all kinds. */
  readonly listOf: FleetMapData['listOf'] | undefined;
}

const count = new Intl.NumberFormat();

/** The numbers of a fleet map. */
export const FleetTable = ({ regions, categories, listOf }: Props) => (
  <div className={classes.scroller} tabIndex={0} role="region" aria-label="Fleet map as a table">
    <table className={classes.table}>
      <thead>
        <tr>
          <th scope="col">Region</th>
          <th scope="col">Cell</th>
          <th scope="col" className={classes.numeric}>
            Devices
          </th>
          {categories.map(({ id, name, title = name }) => (
            <th key={id} scope="col" className={classes.numeric} title={name}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {regions.flatMap(({ id: region, tiles }) =>
          tiles.map((tile) => (
            <tr key={`${region}/${tile.cell?.id ?? ''}`}>
              <td>
                <ResourceLink kind="region" {...tile.region} />
              </td>
              <th scope="row">{tile.cell ? <ResourceLink kind="cell" {...tile.cell} /> : 'no cell'}</th>
              <td className={classes.numeric}>
                {listOf ? (
                  <RouteLink {...listOf(region, tile.cell?.id ?? NO_ID)} size="sm">
                    {count.format(tile.devices)}
                  </RouteLink>
                ) : (
                  count.format(tile.devices)
                )}
              </td>
              {tile.parts.map((part, i) => {
                const ofCategory = categories[i]?.listOf;
                return (
                  <td key={categories[i]?.id} className={classes.numeric}>
                    {part > 0 && ofCategory ? (
                      <RouteLink {...ofCategory(region, tile.cell?.id ?? NO_ID)} size="sm">
                        {count.format(part)}
                      </RouteLink>
                    ) : (
                      part > 0 && count.format(part)
                    )}
                  </td>
                );
              })}
            </tr>
          )),
        )}
      </tbody>
    </table>
  </div>
);
