import { groupKey, type GroupKind } from './group-names';

/** A host, and what of it decides its group. */
export interface PlacedHost {
  readonly [column: string]: unknown;
  readonly name: string;
  readonly region_id: number;
  readonly cell_id: number | null;
}

/** A host that carries a label. */
export interface LabelledHost {
  readonly [column: string]: unknown;
  readonly name: string;
  readonly label_id: number;
}

type Names = ReadonlyMap<string, string>;

/** A group's name, as JSON text. */
function nameIn(names: Names, kind: GroupKind, id: number): string {
  const name = names.get(groupKey(kind, id));
  if (name === undefined) throw new Error(`a host is in a ${kind} that is not there`);
  return JSON.stringify(name);
}

/**
 * Writes the groups of regions and cells as members of a JSON object, each behind a comma. The hosts come region by
 * region, those of its cells first: then the region, which has the cells for children, is written as a whole.
 */
export class RegionGroups {
  /** The regions that were written, as JSON texts. */
  readonly written: string[] = [];
  private region: number | undefined;
  /** Undefined: no group is open. */
  private cell: number | null | undefined;
  private children: string[] = [];

  constructor(private readonly names: Names) {}

  /** @returns the text that the host adds */
  add({ name, region_id: region, cell_id: cell }: PlacedHost): string {
    let text = '';
    if (region !== this.region) {
      text += this.end();
      this.region = region;
      this.written.push(nameIn(this.names, 'region', region));
    }
    if (cell === this.cell) text += ',';
    else {
      text += this.close() + this.open(region, cell);
      this.cell = cell;
    }
    return text + JSON.stringify(name);
  }

  /** @returns what ends the last region */
  end(): string {
    const { region, cell } = this;
    if (region === undefined) return '';
    let text = this.close();
    if (cell !== null) text += `,${nameIn(this.names, 'region', region)}:{${this.childrenText()}}`;
    this.cell = undefined;
    this.children = [];
    return text;
  }

  private open(region: number, cell: number | null): string {
    if (cell === null) {
      const children = this.children.length === 0 ? '' : `${this.childrenText()},`;
      return `,${nameIn(this.names, 'region', region)}:{${children}"hosts":[`;
    }
    const name = nameIn(this.names, 'cell', cell);
    this.children.push(name);
    return `,${name}:{"hosts":[`;
  }

  private close(): string {
    return this.cell === undefined ? '' : ']}';
  }

  private childrenText(): string {
    return `"children":[${this.children.join(',')}]`;
  }
}

/** Writes the groups of labels in the same way. The hosts come label by label. */
export class LabelGroups {
  /** The labels that were written, as JSON texts. */
  readonly written: string[] = [];
  private label: number | undefined;

  constructor(private readonly names: Names) {}

  /** @returns the text that the host adds */
  add({ name, label_id: label }: LabelledHost): string {
    if (label === this.label) return `,${JSON.stringify(name)}`;
    const end = this.end();
    this.label = label;
    const group = nameIn(this.names, 'label', label);
    this.written.push(group);
    return `${end},${group}:{"hosts":[${JSON.stringify(name)}`;
  }

  /** @returns what ends the last label */
  end(): string {
    return this.label === undefined ? '' : ']}';
  }
}
