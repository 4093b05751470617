import { EXIT, Failure, usage } from '../../../cli-error';
import { readText, STANDARD } from '../../../files/file-access';
import { counted, printLines, say } from '../../../output/console';
import { exactJson } from '../../../api/exact-json';
import type { AnsibleOptions } from '../import';
import { type Piece, Places, type Source } from '../source';
import { assign, type Assigned, type Pinned } from './variable-assignment';
import { byCodePoint, Inventory, type Variables } from './inventory';
import { hasMapping, type Mapping, proposalOf, readMapping } from './mapping';
import { placeHosts, type Placed } from './placement';

/** What an inventory of Ansible's comes to, with what is to be told of it. @throws Failure */
export async function ansibleSource(files: readonly string[], options: AnsibleOptions): Promise<Source> {
  const [file = STANDARD, second] = files;
  if (second !== undefined) throw usage('--from ansible takes one inventory.');
  if (file === STANDARD && options.mapping === STANDARD) throw usage('The standard input can be read once.');
  const inventory = Inventory.parse(await readText(file), file);
  if (!hasMapping(options)) {
    await printLines(proposalOf(inventory));
    throw usage(
      'What do its groups become? This is a proposal: keep it as a file, alter it, and give it with --mapping; or say it with --region-groups, --cell-groups, --label-groups.',
    );
  }
  const mapping = await readMapping(options, inventory);
  const placed = placeHosts(inventory, mapping);
  const assigned = assign(inventory, mapping, placed);
  tell(placed, assigned, inventory);
  if (options.strict && assigned.ordered.length > 0)
    throw new Failure('With --strict nothing is set on hosts for that.', EXIT.usage, shown(assigned.ordered));
  return new LinesSource(linesOf(placed, assigned, mapping));
}

/** A line, and what it is of. */
interface Line {
  readonly resource: string;
  readonly body: object;
}

function linesOf(
  placed: readonly Placed[],
  { regions, cells, labels, hosts }: Assigned,
  mapping: Mapping,
): Line[] {
  const sorted = (names: ReadonlyMap<string, Variables>) => [...names].sort(([a], [b]) => byCodePoint(a, b));
  return [
    ...sorted(labels).map(([label, own]) => ({
      resource: `label ${label}`,
      body: { kind: 'label', label, ...variables(own) },
    })),
    ...sorted(regions).map(([name, own]) => ({
      resource: `region ${name}`,
      body: { kind: 'region', name, ...variables(own) },
    })),
    ...sorted(cells).map(([key, own]) => {
      const [region, name] = JSON.parse(key) as [string, string];
      return { resource: `cell ${region}/${name}`, body: { kind: 'cell', region, name, ...variables(own) } };
    }),
    ...placed.map(({ name, region, cell, labels: carried, address }) => ({
      resource: `host ${name}`,
      body: {
        ...{ kind: 'host', name, region },
        ...(cell === undefined ? {} : { cell }),
        ...{ ip_address: address, device_type: mapping.deviceType },
        // Where no group becomes a label, what hosts carry already is none of this inventory's business.
        ...(mapping.labels.size === 0 ? {} : { labels: carried }),
        ...variables(hosts.get(name) ?? new Map()),
      },
    })),
  ];
}

function variables(own: Variables): { variables?: object } {
  if (own.size === 0) return {};
  // Not by assignment: a key may be one that JavaScript takes for something else.
  return { variables: Object.fromEntries([...own].sort(([a], [b]) => byCodePoint(a, b))) };
}

class LinesSource implements Source {
  readonly type = 'application/x-ndjson';
  readonly isTable = false;
  readonly places = new Places();
  readonly size: number;
  read = 0;
  private readonly all: readonly Piece[];

  constructor(lines: readonly Line[]) {
    this.all = lines.map(({ body }) => ({ bytes: Buffer.from(`${exactJson.stringify(body)}\n`), lines: 1 }));
    this.size = this.all.reduce((sum, { bytes }) => sum + bytes.length, 0);
    this.places.begin((nth) => ({ resource: lines[nth - 1]?.resource ?? '' }));
  }

  async *pieces(): AsyncGenerator<Piece[]> {
    this.read = 0;
    for (const piece of this.all) {
      this.read += piece.bytes.length;
      yield await Promise.resolve([piece]);
    }
  }

  close(): void {
    process.stdin.destroy();
  }
}

function tell(placed: readonly Placed[], assigned: Assigned, { groups }: Inventory): void {
  const { regions, cells, labels, ordered, loose } = assigned;
  say(
    `${counted(placed.length, 'host')}, ${counted(regions.size, 'region')}, ${counted(cells.size, 'cell')}, ${counted(labels.size, 'label')}.`,
  );
  if (![...groups.values()].some((group) => group.variables.size > 0))
    say(
      'No group has variables: was this printed with --export? Without it, everything stands on the hosts.',
    );
  if (loose.length > 0)
    say(
      `${counted(loose.length, 'value')} of ${counted(hostsOf(loose), 'host')} ${loose.length === 1 ? 'comes' : 'come'} from groups that become nothing, and ${loose.length === 1 ? 'is' : 'are'} set on the hosts themselves.`,
    );
  if (ordered.length > 0)
    say(
      `${counted(ordered.length, 'value')} of ${counted(hostsOf(ordered), 'host')} would be another one: Ansible goes by the depth of groups and their names, this service by region, cell, label, host. ${ordered.length === 1 ? 'It is' : 'They are'} set on the hosts themselves.`,
    );
}

const hostsOf = (pinned: readonly Pinned[]): number => new Set(pinned.map(({ host }) => host)).size;

/** So many are told one by one. */
const SHOWN = 20;

function shown(pinned: readonly Pinned[]): string[] {
  const lines = pinned
    .slice(0, SHOWN)
    .map(({ host, key, group }) => `  ${host}: ${key}, from the group ${group}`);
  return pinned.length > SHOWN ? [...lines, `  and ${String(pinned.length - SHOWN)} more`] : lines;
}
