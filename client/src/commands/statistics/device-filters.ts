import { Option, type Command } from 'commander';
import { resources } from '../../api/resources';
import { allDevices } from '../resources/all-devices';
import { addFilters, filterOptions, filterQuery } from '../resources/filter-flags';
import type { OptionValues } from '../resources/member-flags';
import type { Session } from '../session';

/** Statistics are about matching devices only, not about their descendants. */
const filters = filterOptions(allDevices).filter(({ filter }) => filter.name !== 'descendants');

/** Adds options that select devices. */
export const addDeviceFilters = (command: Command): Command =>
  addFilters(command, filters).addOption(
    new Option('--kind <kind>', 'only devices of this kind').choices(
      resources.filter(({ isDevice }) => isDevice).map(({ kind }) => kind),
    ),
  );

/** The query parameters for the given options. */
export const deviceQuery = async (
  { finder, project }: Session,
  values: OptionValues,
): Promise<Readonly<Record<string, string | readonly string[] | undefined>>> => ({
  ...(await filterQuery(filters, values, finder)),
  kind: values['kind'] as string | undefined,
  project_id: project,
});
