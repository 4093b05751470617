import { groupKey, type InventoryGroupKind } from './group-names';

/** A host with its region and cell. */
export interface RegionMember {
  readonly [column: string]: unknown;
  readonly name: string;
  readonly region_id: number;
  readonly cell_id: number | null;
}

/** A host with one of its labels. */
export interface LabelMember {
  readonly [column: string]: unknown;
  readonly name: string;
  readonly label_id: number;
}

type Names = ReadonlyMap<string, string>;

/** The name of a group as JSON text. */
function groupName(names: Names, kind: InventoryGroupKind, id: number): string {
  const name = names.get(groupKey(kind, id));
  if (name === undefined) throw new Error(`a host is in an unknown ${kind}`);
  return JSON.stringify(name);
}

/**
 * Renders the groups of regions and cells as members of a JSON object, each after a comma. Hosts must be added by
 * region, those in cells first. The group of a region follows its cells, which are its children.
 */
export class RegionGroupRenderer {
  /** The names of the rendered region groups, as JSON texts. */
  readonly renderedNames: string[] = [];
  private region: number | undefined;
  /** The open group; null is the group of the region itself, undefined means that no group is open. */
  private cell: number | null | undefined;
  private children: string[] = [];

  constructor(private readonly names: Names) {}

  /** Adds a host. @returns the text to write */
  add({ name, region_id: region, cell_id: cell }: RegionMember): string {
    let text = '';
    if (region !== this.region) {
      text += this.end();
      this.region = region;
      this.renderedNames.push(groupName(this.names, 'region', region));
    }
    if (cell === this.cell) text += ',';
    else {
      text += this.closeGroup() + this.openGroup(region, cell);
      this.cell = cell;
    }
    return text + JSON.stringify(name);
  }

  /** Closes the last region. @returns the text to write */
  end(): string {
    const { region, cell } = this;
    if (region === undefined) return '';
    let text = this.closeGroup();
    if (cell !== null) text += `,${groupName(this.names, 'region', region)}:{${this.childrenText()}}`;
    this.cell = undefined;
    this.children = [];
    return text;
  }

  private openGroup(region: number, cell: number | null): string {
    if (cell === null) {
      const children = this.children.length === 0 ? '' : `${this.childrenText()},`;
      return `,${groupName(this.names, 'region', region)}:{${children}"hosts":[`;
    }
    const name = groupName(this.names, 'cell', cell);
    this.children.push(name);
    return `,${name}:{"hosts":[`;
  }

  private closeGroup(): string {
    return this.cell === undefined ? '' : ']}';
  }

  private childrenText(): string {
    return `"children":[${this.children.join(',')}]`;
  }
}

/** Renders the groups of labels in the same way. Hosts must be added by label. */
export class LabelGroupRenderer {
  /** The names of the rendered label groups, as JSON texts. */
  readonly renderedNames: string[] = [];
  private label: number | undefined;

  constructor(private readonly names: Names) {}

  /** Adds a host. @returns the text to write */
  add({ name, label_id: label }: LabelMember): string {
    if (label === this.label) return `,${JSON.stringify(name)}`;
    const end = this.end();
    this.label = label;
    const group = groupName(this.names, 'label', label);
    this.renderedNames.push(group);
    return `${end},${group}:{"hosts":[${JSON.stringify(name)}`;
  }

  /** Closes the last label. @returns the text to write */
  end(): string {
    return this.label === undefined ? '' : ']}';
  }
}
