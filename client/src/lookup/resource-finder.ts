import { ApiError } from '@muster/api-types';
import { asObject, toNumber } from '../api/exact-json';
import type { ListPage, Muster } from '../api/muster';
import type { ResourceDescription } from '../api/resource-description';
import { resources } from '../api/resources';
import { CliError, EXIT } from '../cli-error';
import { readOptional } from '../api/optional-read';
import { findClosest, maskAssignment } from '../text';
import { ReferenceNames } from './reference-names';
import { escapeControl } from '../output/console';

/** A resource that was found by its UUID, id or name. */
export interface FoundResource {
  readonly resource: ResourceDescription;
  /** The id as text, for paths. */
  readonly id: string;
  readonly uuid: string;
  readonly name: string;
  readonly version: number;
  /** The members that were read: location and labels among them. */
  readonly members: Readonly<Record<string, unknown>>;
}

/** List filters that limit a lookup, such as `region_id`. */
export type LookupScope = Readonly<Record<string, string | number | undefined>>;

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
/** Whether a text is a UUID, with or without dashes, in upper or lower case. */
export const isUuid = (identifier: string): boolean => UUID.test(identifier);
const INTEGER = /^\d+$/;
/** How many resources of the same name are listed in an error message. */
const MAX_CANDIDATES = 20;
const LOCATION_MEMBERS = ['region_id', 'cell_id', 'parent_id'] as const;
/** The members that are read of a resource, as far as its kind has them. */
const READ_MEMBERS = ['id', 'uuid', 'version', 'project_id', 'labels', ...LOCATION_MEMBERS];

/** The description of a kind. @throws TypeError for an unknown kind */
export function describeKind(kind: string): ResourceDescription {
  const found = resources.find((resource) => resource.kind === kind);
  if (!found) throw new TypeError(`there is no kind ${kind}`);
  return found;
}

/** The descriptions of a kind: several for `device`, which means every kind of device. */
export const describeKinds = (kind: string): readonly ResourceDescription[] =>
  kind === 'device' ? resources.filter(({ isDevice }) => isDevice) : [describeKind(kind)];

/** Finds resources by UUID, id or name. */
export class ResourceFinder {
  constructor(
    private readonly muster: Muster,
    /** Limits lists to this project: root's lists show every project. */
    private readonly project: string | undefined,
  ) {}

  /**
   * Finds exactly one resource.
   * @param kind `device` for a device of any kind
   * @param identifier a UUID, an id or a name; of a cell also `REGION/CELL`
   * @throws CliError if there is none: then with a similar name, or the command that shows the names, if there is one; or several:
   * then with the candidates
   */
  async find(kind: string, identifier: string, scope: LookupScope = {}): Promise<FoundResource> {
    const found = await this.findIfAny(kind, identifier, scope);
    if (found) return found;
    const hint = await this.hintFor(kind, identifier, scope);
    throw new CliError(
      // Instead of a name, an assignment may be given, whose value may be a secret.
      `There is no ${displayKind(kind)} ${JSON.stringify(maskAssignment(identifier))}${describeScope(scope)}.`,
      EXIT.notFound,
      hint.map((sentence) => `  ${sentence}`),
    );
  }

  /** Finds one resource; undefined if there is none. @throws CliError if there are several, with the candidates */
  async findIfAny(
    kind: string,
    identifier: string,
    scope: LookupScope = {},
  ): Promise<FoundResource | undefined> {
    const direct = await this.search(kind, identifier, scope);
    const found =
      direct.length === 0 && kind === 'cell' ? await this.findCellsByPath(identifier, scope) : direct;
    const [first, second] = found;
    if (!second) return first;
    throw new CliError(
      `${JSON.stringify(identifier)} matches more than one ${displayKind(kind)}. Use one of these UUIDs:`,
      EXIT.ambiguous,
      await this.describeCandidates(found),
    );
  }

  /** Finds several resources, each once. @throws CliError if one is not found, or is ambiguous */
  async findAll(kind: string, identifiers: readonly string[], scope: LookupScope): Promise<FoundResource[]> {
    const found: FoundResource[] = [];
    for (const identifier of identifiers) found.push(await this.find(kind, identifier, scope));
    return uniqueByUuid(found);
  }

  private async search(kind: string, identifier: string, scope: LookupScope): Promise<FoundResource[]> {
    const searches = describeKinds(kind).map((resource) => this.findCandidates(resource, identifier, scope));
    const found = uniqueByUuid((await Promise.all(searches)).flat());
    if (!isUuid(identifier)) return found;
    // Otherwise a resource that is named like it would leave no way to identify this one.
    const exact = found.filter(({ uuid }) => normalizeUuid(uuid) === normalizeUuid(identifier));
    return exact.length > 0 ? exact : found;
  }

  /** Finds cells by `REGION/CELL`. Names may contain slashes, so each slash is tried as the separator. */
  private async findCellsByPath(identifier: string, scope: LookupScope): Promise<FoundResource[]> {
    const slashes = [...identifier.matchAll(/\//g)].map(({ index }) => index);
    const searches = slashes.map(async (at) => {
      const regions = await this.search('region', identifier.slice(0, at), {});
      const expected = regions.filter(({ id }) => matches(scope['region_id'], id));
      const cells = expected.map(({ id }) =>
        this.search('cell', identifier.slice(at + 1), { ...scope, region_id: id }),
      );
      return (await Promise.all(cells)).flat();
    });
    return uniqueByUuid((await Promise.all(searches)).flat());
  }

  /** See `nameHint`. */
  private async hintFor(kind: string, identifier: string, scope: LookupScope): Promise<string[]> {
    const names = await readOptional(this.muster, (muster) => {
      const finder = new ResourceFinder(muster, this.project);
      return Promise.all(
        describeKinds(kind).map((resource) => finder.namesToCompare(resource, identifier, scope)),
      );
    });
    return nameHint(kind, identifier, names?.flat() ?? []);
  }

  /** Names that may be similar: those of a page, and of another one with the same beginning if there are more. */
  private async namesToCompare(
    resource: ResourceDescription,
    identifier: string,
    scope: LookupScope,
  ): Promise<string[]> {
    const { nameMember, filters } = resource;
    if (nameMember === null) return [];
    const isPath = resource.kind === 'cell' && identifier.includes('/') && scope['region_id'] === undefined;
    const fields = [nameMember, ...(isPath ? ['region_id'] : [])];
    const first = await this.readList(resource, fields, scope);
    const [name_prefix = ''] = /^.{2}/su.exec(identifier) ?? [];
    const hasMore = !first.isLast && name_prefix !== '' && filters.some(({ name }) => name === 'name_prefix');
    const others = hasMore ? (await this.readList(resource, fields, { ...scope, name_prefix })).items : [];
    const found = [...first.items, ...others].map(asObject);
    const names = found.map((members) => String(members[nameMember]));
    if (!isPath) return names;
    const regions = new ReferenceNames(this.muster, this.project);
    const ids = found.map(({ region_id }) => region_id);
    await regions.load('region', ids);
    return [...names, ...names.map((name, i) => `${regions.nameOf('region', ids[i])}/${name}`)];
  }

  /** Describes each candidate with its location. */
  private async describeCandidates(found: readonly FoundResource[]): Promise<string[]> {
    const names = await readOptional(this.muster, (muster) => this.readLocations(muster, found));
    const projects = new Set(found.map(({ members }) => members['project_id']));
    return found.map(({ uuid, resource, name, id, members }) => {
      const location = [
        names?.nameOf('region', members['region_id']) ?? '',
        names?.nameOf('cell', members['cell_id']) ?? '',
      ]
        .filter((part) => part !== '')
        .join('/');
      return [
        `  ${uuid}  ${resource.kind} ${name} (id ${id})`,
        location === '' ? '' : ` in ${location}`,
        projects.size > 1 ? `, project ${String(members['project_id'])}` : '',
      ].join('');
    });
  }

  /** The names of the regions and cells of resources. */
  private async readLocations(muster: Muster, found: readonly FoundResource[]): Promise<ReferenceNames> {
    const names = new ReferenceNames(muster, this.project);
    await names.load(
      'region',
      found.map(({ members }) => members['region_id']),
    );
    await names.load(
      'cell',
      found.map(({ members }) => members['cell_id']),
    );
    return names;
  }

  private async findCandidates(
    resource: ResourceDescription,
    identifier: string,
    scope: LookupScope,
  ): Promise<FoundResource[]> {
    const { nameMember } = resource;
    const byName =
      nameMember === null ? [] : [this.findInList(resource, { [nameMember]: identifier, ...scope })];
    const searches = isUuid(identifier)
      ? [this.findInList(resource, { uuid: identifier, ...scope }), ...byName]
      : byName;
    if (INTEGER.test(identifier)) searches.push(this.findById(resource, identifier, scope));
    return (await Promise.all(searches)).flat();
  }

  private async findInList(resource: ResourceDescription, filters: LookupScope): Promise<FoundResource[]> {
    const { items } = await this.readList(resource, fieldsToRead(resource), {
      ...filters,
      limit: MAX_CANDIDATES,
    });
    return items.map((item) => toFoundResource(resource, item));
  }

  /** The first page of a list of the project. */
  private readList(
    { collection, kind }: ResourceDescription,
    fields: readonly string[],
    query: LookupScope,
  ): Promise<ListPage> {
    return this.muster.firstPage(`/v1/${collection}`, {
      query: { ...query, fields, ...(kind === 'project' ? {} : { project_id: this.project }) },
    });
  }

  private async findById(
    resource: ResourceDescription,
    id: string,
    scope: LookupScope,
  ): Promise<FoundResource[]> {
    try {
      const { body } = await this.muster.request('get', `/v1/${resource.collection}/{id}`, {
        path: { id },
        ...(resource.carriesVariables ? { query: { 'resolved-values': false } } : {}),
      });
      const members = asObject(body);
      const isWithin = Object.entries(scope).every(([name, value]) => matches(value, String(members[name])));
      return isWithin && this.isInProject(resource, members) ? [toFoundResource(resource, body)] : [];
    } catch (error) {
      // No resource has this id, but one may have it as its name.
      if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return [];
      throw error;
    }
  }

  /** Root can read resources of any project by id. */
  private isInProject({ kind }: ResourceDescription, members: Readonly<Record<string, unknown>>): boolean {
    const project = members['project_id'];
    if (this.project === undefined || kind === 'project' || typeof project !== 'string') return true;
    return normalizeUuid(project) === normalizeUuid(this.project);
  }
}

const normalizeUuid = (uuid: string): string => uuid.replaceAll('-', '').toLowerCase();

const matches = (expected: string | number | undefined, actual: string): boolean =>
  expected === undefined || String(expected) === actual;

/** A kind in words: `network device`. */
export const displayKind = (kind: string): string => kind.replaceAll('-', ' ');

/** Kinds that have no commands of their own. */
export const KINDS_WITHOUT_COMMANDS: ReadonlySet<string> = new Set([
  'access-secret',
  'audit',
  'variable-definition',
]);

/**
 * The most similar of the known names, as a question; without one, the command that shows the names.
 * @returns a sentence; none for a kind without commands of which no name is similar
 */
export function nameHint(kind: string, name: string, known: readonly string[]): string[] {
  const closest = findClosest(name, known);
  if (closest !== undefined) return [`Did you mean ${JSON.stringify(closest)}?`];
  if (KINDS_WITHOUT_COMMANDS.has(kind)) return [];
  const collection = resources.find((one) => one.kind === kind)?.collection ?? `${kind}s`;
  return [`"muster ${kind} list" shows the ${displayKind(collection)}.`];
}

/** `1 host`, `2 network devices`. */
export const countResources = (count: number, { kind, collection }: ResourceDescription): string =>
  `${String(count)} ${displayKind(count === 1 ? kind : collection)}`;

/** The kind and the name of a resource: `region north`. */
export const displayName = ({ resource: { kind }, name }: FoundResource): string =>
  escapeControl(`${displayKind(kind)} ${name}`);

function describeScope(scope: LookupScope): string {
  if (scope['cell_id'] !== undefined) return ' in that cell';
  return scope['region_id'] === undefined ? '' : ' in that region';
}

const fieldsToRead = ({ nameMember, fields }: ResourceDescription): string[] =>
  [...READ_MEMBERS, ...(nameMember === null ? [] : [nameMember])].filter((one) => fields.includes(one));

function toFoundResource(resource: ResourceDescription, item: unknown): FoundResource {
  const members = asObject(item);
  const { nameMember } = resource;
  return {
    resource,
    id: String(members['id']),
    uuid: String(members['uuid']),
    name: nameMember === null ? '' : String(members[nameMember]),
    version: toNumber(members['version']),
    members,
  };
}

function uniqueByUuid(found: readonly FoundResource[]): FoundResource[] {
  return [...new Map(found.map((one) => [one.uuid, one])).values()];
}
