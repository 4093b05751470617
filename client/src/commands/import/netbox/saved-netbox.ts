import { exactJson } from '../../../api/exact-json';
import { mappingRoot } from '../mapping-section';
import { inPageOrder, SavedAnswers } from './answers';
import { convertInventory } from './convert';
import { existingOf } from './existing';
import { readInventory } from './inventory';
import { MAPPING_TEMPLATE, toMapping } from './mapping';
import { describeDevices, describeVariables } from './plan-lines';

/** A folder that `muster export-netbox` has saved, and what its conversion needs. */
export interface SavedNetBox {
  /** The name of the folder, for messages. */
  readonly folder: string;
  /** What reads each file of the folder, by its path in it: `dcim/devices/page-001.json`. */
  readonly files: ReadonlyMap<string, () => Promise<string>>;
  /** The text of a mapping file; empty for the defaults. */
  readonly mapping: { readonly file: string; readonly text: string };
  readonly parseYaml: (text: string) => unknown;
  /** The labels, regions, cells and devices that the project has, as an export contains them. */
  readonly existing: AsyncIterable<Readonly<Record<string, unknown>>>;
}

/** A line of an import. */
export interface ConvertedLine {
  /** The resource in it, for messages: `host web-1`. */
  readonly resource: string;
  /** JSON. */
  readonly text: string;
}

/** The lines of an import, and what is imported, what is skipped, and why. */
export interface ConvertedFolder {
  readonly lines: readonly ConvertedLine[];
  readonly summary: readonly string[];
}

/**
 * Converts a folder as `muster import --from netbox --files` does. It needs nothing of Node.js: the import page of the
 * browser application calls it.
 * @throws CliError for a folder that is incomplete, or has something else, and for a wrong mapping
 */
export async function convertSavedNetBox({
  folder,
  files,
  mapping: { file, text },
  parseYaml,
  existing,
}: SavedNetBox): Promise<ConvertedFolder> {
  const document = parseYaml(text) ?? null;
  const mapping = toMapping(mappingRoot(document, parseYaml(MAPPING_TEMPLATE), file), file);
  const answers = new SavedAnswers(folder, (path) => {
    const paths = [...files.keys()].filter((name) => name.slice(0, name.lastIndexOf('/')) === path);
    const names = inPageOrder(paths.length > 0 ? paths : [`${path}.json`]);
    return names.flatMap((name) => {
      const readText = files.get(name);
      return readText ? [{ name, readText }] : [];
    });
  });
  const inventory = await readInventory(answers, mapping, NO_PROGRESS);
  const { lines, conversion } = convertInventory(
    inventory,
    mapping,
    await existingOf(existing, mapping.importLabel),
  );
  return {
    lines: lines.map(({ resource, body }) => ({ resource, text: exactJson.stringify(body) })),
    summary: [...describeDevices(conversion), ...describeVariables(conversion)],
  };
}

const NO_PROGRESS = { update: () => undefined, wait: () => undefined };
