import { Option, type Command } from 'commander';
import { collectList } from '../../shared-options';
import type { MappingOptions } from '../mapping-file';

/** The options of `--from ansible`. */
export interface AnsibleOptions extends MappingOptions {
  readonly regionGroups?: readonly string[];
  readonly cellGroups?: readonly string[];
  readonly labelGroups?: readonly string[];
  readonly region?: string;
  readonly deviceType?: string;
  readonly strict?: true;
}

/** The options that no other source has. */
export const ANSIBLE_ONLY = [
  'regionGroups',
  'cellGroups',
  'labelGroups',
  'region',
  'deviceType',
  'strict',
] as const satisfies readonly (keyof AnsibleOptions)[];

const groupOption = (flag: string, target: string): Option =>
  new Option(
    `--${flag} <patterns>`,
    `Ansible groups that become ${target}: a comma-separated list of patterns like dc_*`,
  ).argParser(collectList);

/** Adds the options of `--from ansible`. */
export const addAnsibleOptions = (command: Command): Command =>
  command
    .addOption(groupOption('region-groups', 'regions'))
    .addOption(groupOption('cell-groups', 'cells'))
    .addOption(groupOption('label-groups', 'labels'))
    .option('--region <name>', 'the region of Ansible hosts without a region group')
    .option('--device-type <type>', 'the device type of Ansible hosts (default: server)')
    .option('--strict', 'fail if Ansible resolves a value differently, instead of setting it on the host');
