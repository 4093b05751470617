import type { components } from '@muster/api-types';
import type { Locations } from '../../api/locations';
import { inNaturalOrder } from '../natural-order';

/** A region or a cell. */
interface Location {
  readonly id: number;
  readonly name: string;
}

/** The devices of a cell, or those of a region that are in no cell; on a map of regions, all devices of a region. */
export interface FleetTile {
  readonly region: Location;
  readonly cell: Location | null;
  readonly devices: number;
  /** How many of the devices are in each category, in the order of the legend. */
  readonly parts: readonly number[];
}

/** A region with its tiles, in natural order; the one of no cell is the last. */
export interface TiledRegion extends Location {
  readonly devices: number;
  readonly tiles: readonly FleetTile[];
}

/** The tiles by region, in natural order. */
export function regionsOf(tiles: readonly FleetTile[]): readonly TiledRegion[] {
  const regions = new Map<number, { readonly region: Location; readonly ofRegion: FleetTile[] }>();
  for (const tile of tiles) {
    const { region } = tile;
    const known = regions.get(region.id) ?? { region, ofRegion: [] };
    known.ofRegion.push(tile);
    regions.set(region.id, known);
  }
  return [...regions.values()]
    .map(({ region, ofRegion }) => ({
      ...region,
      devices: ofRegion.reduce((sum, { devices }) => sum + devices, 0),
      tiles: ofRegion.toSorted((a, b) =>
        a.cell && b.cell ? inNaturalOrder(a.cell.name, b.cell.name) : Number(!a.cell) - Number(!b.cell),
      ),
    }))
    .toSorted((a, b) => inNaturalOrder(a.name, b.name));
}

/** How many devices there are, and how many of them are in each category. */
export type DeviceCounts = Pick<FleetTile, 'devices' | 'parts'>;

/** The devices of all tiles. @param categories how many there are */
export const countsOf = (tiles: readonly FleetTile[], categories: number): DeviceCounts => ({
  devices: tiles.reduce((sum, { devices }) => sum + devices, 0),
  parts: Array.from({ length: categories }, (_, i) =>
    tiles.reduce((sum, { parts }) => sum + (parts[i] ?? 0), 0),
  ),
});

/** The counts of a run of an audit. */
type RunCounts = Pick<components['schemas']['AuditResult'], 'devices' | 'passed' | 'failed' | 'locations'>;

/**
 * The tiles of a run of an audit, and the devices of all its locations: a run has the locations with the most failing devices only.
 * The parts are what passes and what fails.
 */
export function tilesOfRun(
  { devices, passed, failed, locations = [] }: RunCounts,
  { regionName, cellName }: Pick<Locations, 'regionName' | 'cellName'>,
): { readonly tiles: readonly FleetTile[]; readonly counts: DeviceCounts } {
  const tiles = locations.map((location) => ({
    region: { id: location.region_id, name: regionName(location.region_id) },
    cell: location.cell_id === null ? null : { id: location.cell_id, name: cellName(location.cell_id) },
    devices: location.devices,
    parts: [location.devices - location.failed, location.failed],
  }));
  return { tiles, counts: { devices, parts: [passed, failed] } };
}

/** The largest tiles. */
export const largestTiles = (tiles: readonly FleetTile[], limit: number): readonly FleetTile[] =>
  tiles.length <= limit ? tiles : tiles.toSorted((a, b) => b.devices - a.devices).slice(0, limit);

/** Of a tile, in rem: one that can still be pointed at, that of the median, and one that fits a phone. */
const MIN_WIDTH = 1.75;
const MEDIAN_WIDTH = 6;
const MAX_WIDTH = 19;

/** The widths of tiles in rem: in proportion to their devices, unless that is too narrow or too wide. */
export function widthsOf(devices: readonly number[]): readonly number[] {
  const median = devices.toSorted((a, b) => a - b)[Math.floor(devices.length / 2)] ?? 1;
  return devices.map((number) =>
    Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, (MEDIAN_WIDTH * number) / Math.max(1, median))),
  );
}

/** Of a tile, in rem: what its text cannot use, and what characters and blanks of it need, with a reserve for wide ones. */
const PADDING = 0.5;
const CHARACTER_WIDTH = 0.45;
const BLANK_WIDTH = 0.2;

const whole = new Intl.NumberFormat();
const short = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });

/**
 * The marks and the number of a tile, as far as they fit: a number without its last digits would be another number, so it is
 * shortened (`1.2K`), or is not there.
 * @param width of the tile, in rem
 */
export function tileText(marks: string, devices: number, width: number): string {
  const first = marks.charAt(0);
  const texts = [marks, first].flatMap((mark) =>
    [whole, short].map((form) => `${mark} ${form.format(devices)}`),
  );
  return texts.find((text) => widthOfText(text) <= width - PADDING) ?? first;
}

/** Of a name in the middle of which something is left out: characters at its end, and those before them. */
const NAME_TAIL = 9;
const NAME_HEAD = 2;

/** The name of a tile, of which the middle can be left out: how many characters at its end are shown in any case. */
interface TileName {
  readonly text: string;
  readonly tail: number;
}

/**
 * The name of a tile, as far as it fits: `04` of `hall-1-row-04`, if there is no room for more. A number without its first digits
 * would be another one.
 * @param width of the tile, in rem
 */
export function tileName(name: string, width: number): TileName {
  const room = Math.floor((width - PADDING) / CHARACTER_WIDTH);
  if (name.length <= NAME_TAIL + NAME_HEAD || room > NAME_TAIL) return { text: name, tail: NAME_TAIL };
  const end = /[^\W_]*$/.exec(name)?.[0] ?? '';
  return { text: end.length > 0 && end.length <= room ? end : '…', tail: 0 };
}

function widthOfText(text: string): number {
  const blanks = text.split(' ').length - 1;
  return blanks * BLANK_WIDTH + (text.length - blanks) * CHARACTER_WIDTH;
}

/** The parts of a tile as shares, the largest first, each with the number of its category: `[[2, 0.9], [0, 0.1]]`. */
export const sharesOf = ({ devices, parts }: FleetTile): readonly (readonly [number, number])[] =>
  parts
    .flatMap((part, category) => (part > 0 ? [[category, part / devices] as const] : []))
    .toSorted(([, a], [, b]) => b - a);

/** Where a tile leads to: the list of the last category that it has devices of; without one, that of all its devices. */
export const listOfTile = <List>(
  { parts }: Pick<FleetTile, 'parts'>,
  categories: readonly { readonly listOf?: List }[],
  ofAll: List,
): List => categories.findLast((_, i) => (parts[i] ?? 0) > 0)?.listOf ?? ofAll;

/** The values of a group of devices. */
export interface CountedValues {
  readonly devices: number;
  readonly without: number;
  /** The most frequent values as JSON text, the most frequent first. */
  readonly values: readonly { readonly text: string; readonly devices: number }[];
}

/**
 * The parts of a tile by value: one for each value of the legend, then the other values, and the devices without a value.
 * @param legend values as JSON text
 */
export function partsByValue(
  { devices, without, values }: CountedValues,
  legend: readonly string[],
): readonly number[] {
  const numbers = new Map(values.map(({ text, devices: number }) => [text, number]));
  const known = legend.map((text) => numbers.get(text) ?? 0);
  const others = devices - without - known.reduce((sum, number) => sum + number, 0);
  return [...known, others, without];
}

/** The parts of a tile by agreement: the devices like most of them, and the others. No value counts as a value. */
export function partsByAgreement({ devices, without, values }: CountedValues): readonly number[] {
  const most = Math.max(without, values[0]?.devices ?? 0);
  return [most, devices - most];
}
