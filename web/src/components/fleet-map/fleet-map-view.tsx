import { VisuallyHidden } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type KeyboardEvent, useState } from 'react';
import { kindWords } from '../../api/kinds';
import { NO_ID } from '../../app/search-params';
import { counted } from '../counted';
import { LevelMark } from '../level-mark';
import { MiddleEllipsis } from '../middle-ellipsis';
import { ResourceLink, RouteLink } from '../resource-link';
import { shareText } from '../share-text';
import { type Category, type FleetMapData, tileKey } from './fleet-map-queries';
import classes from './fleet-map.module.css';
import { FleetTable } from './fleet-table';
import {
  countsOf,
  type DeviceCounts,
  type FleetTile,
  largestTiles,
  listOfTile,
  regionsOf,
  sharesOf,
  type TiledRegion,
  tileName,
  tileText,
  widthsOf,
} from './fleet-tiles';

interface Props extends FleetMapData {
  /** The collection of the devices; undefined: devices of all kinds. */
  readonly collection: string | undefined;
  /** The number of tiles with those that could not be read. */
  readonly tileCount?: number;
  /** The devices of the legend, if there are others than those of the tiles. */
  readonly counts?: DeviceCounts | undefined;
  readonly isTable?: boolean;
  /** Whether each region is one tile. */
  readonly isByRegion?: boolean;
}

/** More tiles are no map any more, and slow. */
const MAX_TILES = 1_000;
/** A region with more tiles may go on in the next column. */
const MAX_WHOLE = 60;
const count = new Intl.NumberFormat();
/** Smaller shares of a tile have no mark, only a stripe. */
const MIN_MARKED = 0.1;

/** Regions and cells as tiles, as wide as they have devices, with a legend; or the same as a table. */
export function FleetMapView({
  categories,
  tiles: all,
  tileCount = all.length,
  counts = countsOf(all, categories.length),
  listOf,
  collection,
  isTable = false,
  isByRegion = false,
}: Props) {
  const tiles = largestTiles(all, MAX_TILES);
  const regions = regionsOf(tiles);
  const kindTitle = kindWords(collection ?? 'devices');
  return (
    <div className={classes.map}>
      <ul className={classes.legend} aria-label="Legend">
        {categories.map((category, i) => (
          <LegendItem
            key={category.id}
            category={category}
            devices={counts.parts[i] ?? 0}
            total={counts.devices}
          />
        ))}
      </ul>
      {tileCount > tiles.length && (
        <p role="status">
          The {count.format(tiles.length)} largest of {count.format(tileCount)} cells are shown. Choose a
          region for the others.
        </p>
      )}
      {isTable ? (
        <FleetTable {...{ regions, categories }} listOf={collection === undefined ? undefined : listOf} />
      ) : (
        <Tiles
          {...{ regions, categories, listOf, kindTitle, isByRegion }}
          hasLists={collection !== undefined}
          isComplete={tileCount === tiles.length}
        />
      )}
    </div>
  );
}

interface LegendProps {
  readonly category: Category;
  readonly devices: number;
  readonly total: number;
}

function LegendItem({ category, devices, total }: LegendProps) {
  const { mark, colour, name, title = name, link, isOptional = false } = category;
  if (isOptional && devices === 0) return null;
  return (
    <li>
      <span className={classes.swatch} style={{ background: `var(--category-${colour})` }}>
        {mark}
      </span>
      {link ? (
        <RouteLink {...link} size="sm">
          {title}
        </RouteLink>
      ) : (
        <span className={classes.title}>{title}</span>
      )}
      <span className={classes.number}>
        {count.format(devices)} · {shareText(devices, total)}
      </span>
    </li>
  );
}

interface TilesProps extends Pick<Props, 'categories' | 'listOf'> {
  readonly regions: readonly TiledRegion[];
  /** The devices that are counted: a plural. */
  readonly kindTitle: string;
  readonly isByRegion: boolean;
  /** Whether the devices of a region have a list: those of all kinds have none. */
  readonly hasLists: boolean;
  /** Whether all tiles are shown. Otherwise the devices of a region are not known. */
  readonly isComplete: boolean;
}

/** All tiles are one tab stop, with arrow keys. */
function Tiles(props: TilesProps) {
  const { regions, categories, listOf, kindTitle, isByRegion, hasLists, isComplete } = props;
  const [active, setActive] = useState<string>();
  const tiles = regions.flatMap((region) => region.tiles);
  const widths = widthsOf(tiles.map(({ devices }) => devices));
  const widthOf = new Map(tiles.map((tile, i) => [tile, widths[i] ?? 0]));
  const first = tiles[0] && tileKey(tiles[0]);
  const current = tiles.some((tile) => tileKey(tile) === active) ? active : first;
  const tileOf = (tile: FleetTile) => {
    const { region, cell, devices } = tile;
    const name = isByRegion ? region.name : (cell?.name ?? 'no cell');
    const description = describe(name, tile, categories, kindTitle);
    return (
      <li
        key={tileKey(tile)}
        style={{ width: `${widthOf.get(tile) ?? 0}rem`, background: backgroundOf(tile, categories) }}
      >
        <Link
          {...listOfTile(tile, categories, listOf)(region.id, isByRegion ? undefined : (cell?.id ?? NO_ID))}
          className={classes.tile}
          data-tile=""
          tabIndex={tileKey(tile) === current ? 0 : -1}
          onFocus={() => {
            setActive(tileKey(tile));
          }}
          title={description}
        >
          <VisuallyHidden>{description}</VisuallyHidden>
          <span aria-hidden>
            <b>
              <MiddleEllipsis {...tileName(name, widthOf.get(tile) ?? 0)} />
            </b>
            {tileText(marksOf(tile, categories), devices, widthOf.get(tile) ?? 0)}
          </span>
        </Link>
      </li>
    );
  };
  return (
    <div
      className={isByRegion ? undefined : classes.regions}
      onKeyDown={moveFocus}
      aria-label="Fleet map"
      role="group"
    >
      {isByRegion ? (
        <ul className={classes.tiles}>{tiles.map(tileOf)}</ul>
      ) : (
        regions.map(({ id, name, devices, tiles: ofRegion }) => (
          <section
            key={id}
            className={classes.region}
            data-long={ofRegion.length > MAX_WHOLE || undefined}
            aria-label={`Region ${name}`}
          >
            <h2>
              <LevelMark level="region">
                <ResourceLink kind="region" id={id} name={name} />
              </LevelMark>
              {hasLists ? (
                <RouteLink {...listOf(id)} className={classes.number} size="sm">
                  {isComplete ? countedIn(devices, kindTitle) : kindTitle}
                </RouteLink>
              ) : (
                isComplete && <span className={classes.number}>{countedIn(devices, kindTitle)}</span>
              )}
            </h2>
            <ul className={classes.tiles}>{ofRegion.map(tileOf)}</ul>
          </section>
        ))
      )}
    </div>
  );
}

/** How many devices. @param kindTitle a plural */
const countedIn = (devices: number, kindTitle: string): string =>
  counted(devices, devices === 1 ? kindTitle.replace(/s$/, '') : kindTitle, kindTitle);

/** Arrow keys lead from tile to tile, in the order of the page. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-tile]')];
  const at = links.findIndex((link) => link === document.activeElement);
  if (at < 0) return;
  const to = {
    ArrowRight: at + 1,
    ArrowDown: at + 1,
    ArrowLeft: at - 1,
    ArrowUp: at - 1,
    Home: 0,
    End: links.length - 1,
  }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  links[Math.min(links.length - 1, Math.max(0, to))]?.focus();
}

/** The categories of a tile side by side, as wide as their shares. */
function backgroundOf(tile: FleetTile, categories: readonly Category[]): string {
  let start = 0;
  const stops = sharesOf(tile).map(([category, share]) => {
    const end = start + share;
    const stop = `var(--category-${categories[category]?.colour ?? 'none'}) ${start * 100}% ${end * 100}%`;
    start = end;
    return stop;
  });
  return `linear-gradient(to right, ${stops.join(', ')})`;
}

/** The marks of the larger parts of a tile, that of the most devices first. */
const marksOf = (tile: FleetTile, categories: readonly Category[]): string =>
  sharesOf(tile)
    .filter(([, share]) => share >= MIN_MARKED)
    .map(([category]) => categories[category]?.mark ?? '')
    .join('');

function describe(name: string, tile: FleetTile, categories: readonly Category[], kindTitle: string): string {
  const parts = sharesOf(tile).map(
    ([category]) => `${count.format(tile.parts[category] ?? 0)} ${categories[category]?.name ?? ''}`,
  );
  return `${name}, ${countedIn(tile.devices, kindTitle)}: ${parts.join(', ')}`;
}
