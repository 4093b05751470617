import { InvalidArgumentError } from 'commander';
import { ApiError } from '@muster/api-types';
import { asObject, toNumber } from '../../api/exact-json';
import type { ResourceDescription } from '../../api/resource-description';
import { usageError } from '../../cli-error';
import { describeKind, describeKinds, displayKind, type FoundResource } from '../../lookup/resource-finder';
import type { Row } from '../../output/rows';
import { writeOf, type WrittenRequest } from '../report-write';
import { resultOrApiError, throwIfFailed, type FailedItem } from '../resources/failed-items';
import { findProject, type Session } from '../session';
import { collectList } from '../shared-options';
import { didYouMean } from '../../text';
import type { ResultLine } from './result-line';

/** A resource of the inventory that a source does not have. */
export interface MissingResource extends FoundResource {
  /** The name of the region of a cell or device. */
  readonly region?: string;
}

/** The kinds that are compared, in the order in which they can be deleted: what is used comes after what uses it. */
const comparedKinds = (): string[] => [...describeKinds('device').map(({ kind }) => kind), 'cell', 'region'];

/** A resource with its kind and region: `cell north/rack-1`. */
export const missingText = ({ resource, name, region }: MissingResource): string =>
  `${displayKind(resource.kind)} ${region !== undefined && resource.kind === 'cell' ? `${region}/` : ''}${name}`;

/** A missing resource as a row of JSON. */
export const missingRow = ({ resource, name, region, id }: MissingResource): Row => ({
  kind: resource.kind,
  ...(region === undefined ? {} : { region }),
  name,
  id,
});

/** The resources that a source has, collected from the results of its lines. */
export class SourceResources {
  /** By kind and id; whether the line changed nothing. */
  private readonly existing = new Map<string, Map<string, boolean>>();
  private readonly kinds = new Set<string>();
  /** Others may create these resources after their lines were checked, or replace them by others with these names. */
  private readonly names = new Set<string>();
  /** The names of the regions of created and updated resources. */
  private readonly regions = new Set<string>();

  /** @param wholeKinds the kinds of which the source has every resource of the project */
  constructor(private readonly wholeKinds: readonly string[] = []) {}

  /** Adds a line. */
  add({ kind, id, name, result, after }: ResultLine): void {
    this.kinds.add(kind);
    this.names.add(nameKey(kind, name, kind === 'cell' ? after?.['region'] : undefined));
    if (after) this.regions.add(String(kind === 'region' ? after['name'] : after['region']));
    if (id === undefined) return;
    const ids = this.existing.get(kind) ?? new Map<string, boolean>();
    this.existing.set(kind, ids);
    ids.set(id, result === 'unchanged');
  }

  /**
   * The kinds to delete.
   * @param names kinds, and `device` for the kinds of devices that the source has, or has every resource of
   * @throws CliError if the source has no resource of a kind: all of the inventory would be missing
   */
  selectKinds(names: readonly string[]): readonly string[] {
    return names.flatMap((name) => {
      const kinds = describeKinds(name).map(({ kind }) => kind);
      if (!kinds.some((kind) => this.kinds.has(kind)))
        throw usageError(
          `The source contains no ${displayKind(name)}. --prune ${name} would delete every ${displayKind(name)} of its regions.`,
        );
      return kinds.filter((kind) => this.isCompared(kind));
    });
  }

  private isCompared(kind: string): boolean {
    return this.kinds.has(kind) || this.wholeKinds.includes(kind);
  }

  /**
   * Finds what the inventory has and the source does not, in an order in which it can be deleted. Devices and cells are
   * only looked for in the regions of the source, unless it has all of their kind, or `isWhole`: then it describes all
   * regions.
   * @param kinds the kinds to look for; by default those of the source
   */
  async findMissing(
    session: Session,
    {
      kinds = comparedKinds().filter((kind) => this.isCompared(kind)),
      isWhole = false,
    }: { kinds?: readonly string[]; isWhole?: boolean },
  ): Promise<MissingResource[]> {
    const { muster } = session;
    const project = await findProject(session);
    const read = async (kind: string): Promise<FoundResource[]> => {
      const resource = describeKind(kind);
      const query = { project_id: project, limit: PAGE_SIZE, fields: fieldsOf(resource) };
      const found: FoundResource[] = [];
      for await (const item of muster.items(`/v1/${resource.collection}`, { query }))
        found.push(toFound(resource, asObject(item)));
      return found;
    };
    const regions = await read('region');
    const names = new Map(regions.map(({ id, name }) => [id, name]));
    const here = new Map<string, FoundResource[]>([['region', regions]]);
    for (const kind of comparedKinds())
      if (kind !== 'region' && this.isCompared(kind)) here.set(kind, await read(kind));
    const expected = this.regionsOfSource(here, names);
    const missing = comparedKinds()
      .filter((kind) => kinds.includes(kind))
      .flatMap((kind) => (here.get(kind) ?? []).filter(({ id }) => this.existing.get(kind)?.has(id) !== true))
      .filter(
        (one) =>
          isWhole ||
          one.resource.kind === 'region' ||
          this.wholeKinds.includes(one.resource.kind) ||
          expected.has(regionId(one)),
      )
      .map((one): MissingResource => {
        const region = names.get(regionId(one));
        return region === undefined ? one : { ...one, region };
      })
      .filter(
        ({ resource: { kind }, name, region }) =>
          !this.names.has(nameKey(kind, name, kind === 'cell' ? region : undefined)),
      );
    return [
      ...childrenFirst(missing.filter(({ resource }) => resource.isDevice)),
      ...missing.filter(({ resource }) => !resource.isDevice),
    ];
  }

  /** The ids of the regions that the source has itself, or whose cells or devices it has. */
  private regionsOfSource(
    here: ReadonlyMap<string, readonly FoundResource[]>,
    names: ReadonlyMap<string, string>,
  ): ReadonlySet<string> {
    const ids = new Set([...names].filter(([, name]) => this.regions.has(name)).map(([id]) => id));
    for (const [kind, found] of here)
      for (const one of found)
        if (this.existing.get(kind)?.get(one.id) === true)
          ids.add(kind === 'region' ? one.id : regionId(one));
    return ids;
  }
}

/** A key of a name, with the name of the region of a cell. */
const nameKey = (kind: string, name: string, region: unknown): string => JSON.stringify([kind, region, name]);

const PAGE_SIZE = 1000;

const fieldsOf = ({ fields }: ResourceDescription): string[] =>
  ['id', 'uuid', 'name', 'version', 'region_id', 'parent_id'].filter((one) => fields.includes(one));

const toFound = (resource: ResourceDescription, members: Row): FoundResource => ({
  resource,
  id: String(members['id']),
  uuid: String(members['uuid']),
  name: String(members['name']),
  version: toNumber(members['version']),
  members,
});

const regionId = ({ members }: FoundResource): string => String(members['region_id']);

/** A device with children cannot be deleted. */
function childrenFirst(devices: readonly MissingResource[]): MissingResource[] {
  const byId = new Map(devices.map((one) => [one.id, one]));
  const depths = new Map<MissingResource, number>();
  for (const device of devices) {
    const chain: MissingResource[] = [];
    let next: MissingResource | undefined = device;
    while (next && !depths.has(next)) {
      chain.push(next);
      next = byId.get(String(next.members['parent_id']));
    }
    let depth = next ? (depths.get(next) ?? 0) : -1;
    for (const one of chain.reverse()) depths.set(one, ++depth);
  }
  return devices.toSorted((a, b) => (depths.get(b) ?? 0) - (depths.get(a) ?? 0));
}

/** Parses the kinds of `--prune`. A repeated option adds its kinds. */
export function parsePrunedKinds(text: string, before: readonly string[] | undefined): readonly string[] {
  const allowed = ['device', ...describeKinds('device').map(({ kind }) => kind), 'cell', 'region'];
  const kinds = [...new Set(collectList(text, before))];
  const invalid = kinds.find((kind) => !allowed.includes(kind));
  if (invalid !== undefined)
    throw new InvalidArgumentError(
      `${didYouMean(invalid, allowed)} The kinds are ${allowed.join(', ')}.`.trim(),
    );
  return kinds;
}

/** Finds what `--prune` deletes. If it names regions, the source describes all regions. @throws CliError, ApiError */
export const findPruned = (
  session: Session,
  source: SourceResources,
  names: readonly string[],
): Promise<MissingResource[]> =>
  source.findMissing(session, { kinds: source.selectKinds(names), isWhole: names.includes('region') });

/** The result of deletions. */
export interface Deletions {
  readonly deleted: MissingResource[];
  readonly failed: FailedItem[];
  readonly writes: WrittenRequest[];
}

/**
 * Deletes resources one by one, unless they were changed since they were found. A rejected deletion does not stop the others.
 * @param result the deletions so far, also if an error is thrown
 * @throws ApiError, NetworkError
 */
export async function deleteResources(
  { muster }: Session,
  resources: readonly MissingResource[],
  { deleted, failed, writes }: Deletions,
): Promise<void> {
  for (const item of resources) {
    const path = `/v1/${item.resource.collection}/{id}`;
    const options = { path: { id: item.id }, ifMatch: item.version };
    const result = await resultOrApiError(() => muster.request('delete', path, options));
    if (!(result instanceof ApiError)) writes.push(writeOf(result));
    // Deleted by an earlier attempt whose response was lost, or by another user.
    if (result instanceof ApiError && result.status !== 404) failed.push({ item, error: result });
    else deleted.push(item);
  }
}

/** @throws CliError if deletions failed */
export function throwIfDeletionsFailed({ deleted, failed }: Deletions): void {
  throwIfFailed(failed, deleted.length + failed.length, 'deleted');
}
