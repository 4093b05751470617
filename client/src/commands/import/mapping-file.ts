import { parseYaml } from '../../files/yaml-items';
import type { YamlVersion } from '../../files/yaml-scalars';
import { mappingRoot, type MappingSection } from './mapping-section';

/** The options of the other program's inventory and of all files. */
export interface MappingOptions {
  /** A file that maps the other inventory to Muster. */
  readonly mapping?: string;
  /** The version of YAML files, including the mapping. */
  readonly yaml?: YamlVersion;
}

/**
 * Reads a mapping file.
 * @param text YAML
 * @param template YAML with every member and its default
 * @param version of a file without a directive; by default, values have to mean the same in both
 * @throws CliError for an invalid file
 */
export async function readMappingSections(
  text: string,
  file: string,
  template: string,
  version?: YamlVersion,
): Promise<MappingSection> {
  const defaults = await parseYaml(template, 'mapping', '1.2');
  return mappingRoot(await parseYaml(text, file, version), defaults, file);
}
