import { resources } from '../api/resources';
import type { ResourceDescription } from '../api/resource-description';
import { Refusal } from '../api/errors';
import type { Muster } from '../api/muster';
import { EXIT, Failure } from '../cli-error';
import { asObject, plainNumber } from '../api/exact-json';
import { visible } from '../output/console';
import { ReferenceNames } from './reference-names';

/** A resource that was found: what is needed to address it, and to tell it from others. */
export interface Found {
  readonly resource: ResourceDescription;
  /** As paths have it. */
  readonly id: string;
  readonly uuid: string;
  readonly name: string;
  readonly version: number;
  /** What was read of it: where it stands, and its labels, besides. */
  readonly members: Readonly<Record<string, unknown>>;
}

/** Conditions that narrow where it is looked for: filters of the list, `region_id`. */
export type Within = Readonly<Record<string, string | number | undefined>>;

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
/** Whether it is a UUID, with or without dashes, in any case. */
export const isUuid = (given: string): boolean => UUID.test(given);
const INTEGER = /^\d+$/;
/** So many candidates are looked at, to be shown. */
const MOST = 20;
/** The members that tell where something stands. */
const PLACES = ['region_id', 'cell_id', 'parent_id'] as const;
/** What is read of a resource, where its kind has it. */
const READ = ['id', 'uuid', 'version', 'project_id', 'labels', ...PLACES];

/** The description of a kind. @throws TypeError for none of the API's */
export function resourceOf(kind: string): ResourceDescription {
  const found = resources.find((resource) => resource.kind === kind);
  if (!found) throw new TypeError(`there is no kind ${kind}`);
  return found;
}

/** The kinds that a word stands for: `device` for every kind of device. */
export const kindsOf = (kind: string): readonly ResourceDescription[] =>
  kind === 'device' ? resources.filter(({ isDevice }) => isDevice) : [resourceOf(kind)];

/** Finds resources by what people call them: a UUID, an id, or a name. */
export class Finder {
  constructor(
    private readonly muster: Muster,
    /** Lists are narrowed to it, where it is known: root's would show every project. */
    private readonly project: string | undefined,
  ) {}

  /**
   * The one resource that is meant.
   * @param kind `device` for a device of any kind
   * @param given a UUID, an id or a name; of a cell also `REGION/CELL`
   * @throws Failure if there is none, or several: then with the candidates
   */
  async find(kind: string, given: string, within: Within = {}): Promise<Found> {
    const direct = await this.search(kind, given, within);
    const found = direct.length === 0 && kind === 'cell' ? await this.inRegions(given, within) : direct;
    const [first, second] = found;
    if (first && !second) return first;
    const word = wordOf(kind);
    if (!first)
      throw new Failure(`There is no ${word} ${JSON.stringify(given)}${placeAsked(within)}.`, EXIT.notFound);
    throw new Failure(
      `${JSON.stringify(given)} means more than one ${word}. Say which, by its UUID:`,
      EXIT.ambiguous,
      await this.described(found),
    );
  }

  private async search(kind: string, given: string, within: Within): Promise<Found[]> {
    const searches = kindsOf(kind).map((resource) => this.candidates(resource, given, within));
    return distinct((await Promise.all(searches)).flat());
  }

  /** Cells by `REGION/CELL`. Names may have slashes of their own: each is tried as the one between the two. */
  private async inRegions(given: string, within: Within): Promise<Found[]> {
    const slashes = [...given.matchAll(/\//g)].map(({ index }) => index);
    const searches = slashes.map(async (at) => {
      const regions = await this.search('region', given.slice(0, at), {});
      const asked = regions.filter(({ id }) => holds(within['region_id'], id));
      const cells = asked.map(({ id }) =>
        this.search('cell', given.slice(at + 1), { ...within, region_id: id }),
      );
      return (await Promise.all(cells)).flat();
    });
    return distinct((await Promise.all(searches)).flat());
  }

  /** Lines that tell candidates from each other: by where they stand. */
  private async described(found: readonly Found[]): Promise<string[]> {
    const names = new ReferenceNames(this.muster, this.project);
    await names.load(
      'region',
      found.map(({ members }) => members['region_id']),
    );
    await names.load(
      'cell',
      found.map(({ members }) => members['cell_id']),
    );
    const projects = new Set(found.map(({ members }) => members['project_id']));
    return found.map(({ uuid, resource, name, id, members }) => {
      const place = [names.of('region', members['region_id']), names.of('cell', members['cell_id'])]
        .filter((part) => part !== '')
        .join('/');
      return [
        `  ${uuid}  ${resource.kind} ${name} (id ${id})`,
        place === '' ? '' : ` in ${place}`,
        projects.size > 1 ? `, project ${String(members['project_id'])}` : '',
      ].join('');
    });
  }

  private async candidates(resource: ResourceDescription, given: string, within: Within): Promise<Found[]> {
    const { nameMember } = resource;
    const byName = nameMember === null ? [] : [this.listed(resource, { [nameMember]: given, ...within })];
    const searches = isUuid(given) ? [this.listed(resource, { uuid: given, ...within }), ...byName] : byName;
    if (INTEGER.test(given)) searches.push(this.byId(resource, given, within));
    return (await Promise.all(searches)).flat();
  }

  private async listed(resource: ResourceDescription, filters: Within): Promise<Found[]> {
    const { collection, kind } = resource;
    const { items } = await this.muster.firstPage(`/v1/${collection}`, {
      query: {
        ...filters,
        fields: fieldsOf(resource),
        limit: MOST,
        ...(kind === 'project' ? {} : { project_id: this.project }),
      },
    });
    return items.map((item) => foundOf(resource, item));
  }

  private async byId(resource: ResourceDescription, id: string, within: Within): Promise<Found[]> {
    try {
      const { body } = await this.muster.request('get', `/v1/${resource.collection}/{id}`, {
        path: { id },
        ...(resource.carriesVariables ? { query: { 'resolved-values': false } } : {}),
      });
      const members = asObject(body);
      const isWithin = Object.entries(within).every(([name, value]) => holds(value, String(members[name])));
      return isWithin && this.isOfProject(resource, members) ? [foundOf(resource, body)] : [];
    } catch (error) {
      // There is none of this id: it may be a name.
      if (error instanceof Refusal && (error.status === 404 || error.status === 400)) return [];
      throw error;
    }
  }

  /** Root reads by id what is of any project. */
  private isOfProject({ kind }: ResourceDescription, members: Readonly<Record<string, unknown>>): boolean {
    const project = members['project_id'];
    if (this.project === undefined || kind === 'project' || typeof project !== 'string') return true;
    return bareUuid(project) === bareUuid(this.project);
  }
}

const bareUuid = (uuid: string): string => uuid.replaceAll('-', '').toLowerCase();

const holds = (asked: string | number | undefined, is: string): boolean =>
  asked === undefined || String(asked) === is;

/** A kind, as one says it. */
export const wordOf = (kind: string): string => kind.replaceAll('-', ' ');

/** What was found, as one says it: `region north`. */
export const calledName = ({ resource: { kind }, name }: Found): string => visible(`${wordOf(kind)} ${name}`);

function placeAsked(within: Within): string {
  if (within['cell_id'] !== undefined) return ' in that cell';
  return within['region_id'] === undefined ? '' : ' in that region';
}

const fieldsOf = ({ nameMember, fields }: ResourceDescription): string[] =>
  [...READ, ...(nameMember === null ? [] : [nameMember])].filter((one) => fields.includes(one));

function foundOf(resource: ResourceDescription, item: unknown): Found {
  const members = asObject(item);
  const { nameMember } = resource;
  return {
    resource,
    id: String(members['id']),
    uuid: String(members['uuid']),
    name: nameMember === null ? '' : String(members[nameMember]),
    version: plainNumber(members['version']),
    members,
  };
}

function distinct(found: readonly Found[]): Found[] {
  return [...new Map(found.map((one) => [one.uuid, one])).values()];
}
