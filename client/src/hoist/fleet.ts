import { asObject, exactJson } from '../api/exact-json';
import { compareCodePoints } from '../text';

/** The identifier of a cell. Its name alone is unique only in its region. */
export const cellId = (region: string, name: string): string => JSON.stringify([region, name]);

/** The region and the name of a cell. */
export function parseCellId(id: string): readonly [region: string, name: string] {
  const [region, name] = JSON.parse(id) as [string, string];
  return [region, name];
}

/** A device of an export. Its name is unique in its project. */
export interface FleetDevice {
  readonly kind: string;
  readonly name: string;
  readonly region: string;
  /** By `cellId`. */
  readonly cell: string | undefined;
  /** In ascending precedence: by the code points of their names, as in the API's explanations. */
  readonly labels: readonly string[];
}

/** The settings of one variable: JSON texts by the identifiers of the resources that set it. */
type Settings = ReadonlyMap<string, string>;

/** Where one variable is set. */
export interface KeySettings {
  readonly regions: Settings;
  readonly cells: Settings;
  readonly labels: Settings;
  /** By name. */
  readonly devices: Settings;
}

type LevelName = keyof KeySettings;
const LEVELS = ['regions', 'cells', 'labels', 'devices'] as const satisfies readonly LevelName[];
const NO_SETTINGS: Settings = new Map();

/** The devices of a project, and where their variables are set, collected from the lines of an export. */
export class Fleet {
  readonly devices: FleetDevice[] = [];
  /** The versions of regions by name, and of cells by `cellId`, from before the export. */
  readonly versions = { region: new Map<string, number>(), cell: new Map<string, number>() };
  private readonly settings: Readonly<Record<LevelName, Map<string, Map<string, string>>>> = {
    regions: new Map(),
    cells: new Map(),
    labels: new Map(),
    devices: new Map(),
  };
  /** Equal texts, of which there are many, are stored once. */
  private readonly texts = new Map<string, string>();

  /** @param keys the variables to collect; undefined for all */
  constructor(private readonly keys: ReadonlySet<string> | undefined) {}

  /** Adds the resource of a line of an export. */
  add({ kind, name, label, region, cell, labels, variables }: Readonly<Record<string, unknown>>): void {
    const own = asObject(variables ?? {});
    if (kind === 'label') this.addSettings('labels', String(label), own);
    else if (kind === 'region') this.addSettings('regions', String(name), own);
    else if (kind === 'cell') this.addSettings('cells', cellId(String(region), String(name)), own);
    else if (kind !== 'cloud') {
      this.addSettings('devices', String(name), own);
      this.devices.push({
        kind: String(kind),
        name: this.intern(String(name)),
        region: this.intern(String(region)),
        cell: typeof cell === 'string' ? this.intern(cellId(String(region), cell)) : undefined,
        labels: (labels as string[]).map((one) => this.intern(one)).sort(compareCodePoints),
      });
    }
  }

  /** The variables that are set anywhere, in the order of their code points. */
  allKeys(): string[] {
    return [...new Set(LEVELS.flatMap((level) => [...this.settings[level].keys()]))].sort(compareCodePoints);
  }

  /** Where a variable is set. */
  settingsOf(key: string): KeySettings {
    const of = (level: LevelName): Settings => this.settings[level].get(key) ?? NO_SETTINGS;
    return { regions: of('regions'), cells: of('cells'), labels: of('labels'), devices: of('devices') };
  }

  private addSettings(level: LevelName, id: string, own: Readonly<Record<string, unknown>>): void {
    const byKey = this.settings[level];
    const interned = this.intern(id);
    for (const [key, value] of Object.entries(own)) {
      if (this.keys?.has(key) === false) continue;
      const settings = byKey.get(key) ?? new Map<string, string>();
      if (settings.size === 0) byKey.set(key, settings);
      settings.set(interned, this.intern(exactJson.stringify(value)));
    }
  }

  private intern(text: string): string {
    const stored = this.texts.get(text);
    if (stored !== undefined) return stored;
    this.texts.set(text, text);
    return text;
  }
}
