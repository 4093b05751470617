import { readTextFile } from '../../../files/file-access';
import type { YamlVersion } from '../../../files/yaml-scalars';
import { readMappingSections, type MappingOptions } from '../mapping-file';
import { MAPPING_TEMPLATE, toMapping, type Mapping } from './mapping';

/** Reads a mapping file; without one, returns the defaults. @throws CliError for an invalid file */
export async function readMapping({ mapping: file, yaml }: MappingOptions): Promise<Mapping> {
  return parseMapping(file === undefined ? '{}' : await readTextFile(file), file ?? 'mapping', yaml);
}

/** @param text YAML; members that it does not have get their defaults @throws CliError */
export async function parseMapping(text: string, file: string, version?: YamlVersion): Promise<Mapping> {
  return toMapping(await readMappingSections(text, file, MAPPING_TEMPLATE, version), file);
}
