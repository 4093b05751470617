import { appendMembers, splitJsonObject } from '../../core/json/json-text';
import type { CsvRecord } from '../csv/csv-reader';
import { KEEP_EQUAL_NUMBERS, UNSET_KEYS } from './line-kinds';
import { INVALID_JSON_KEYS } from './new-values';

type RecordKeys = Pick<CsvRecord, 'unsetKeys'>;
type StagedRecord = Pick<CsvRecord, 'unsetKeys' | 'invalidJsonKeys'>;

/** The members that the line of a record gets, in addition to those of its cells. */
const membersOfRecord = ({ unsetKeys }: RecordKeys, hasVariables: boolean): (readonly [string, string])[] => [
  ...(hasVariables ? [[KEEP_EQUAL_NUMBERS, 'true'] as const] : []),
  ...(unsetKeys.length > 0 ? [[UNSET_KEYS, JSON.stringify(unsetKeys)] as const] : []),
];

const withMembers = (text: string, members: readonly (readonly [string, string])[]): string =>
  appendMembers(
    text,
    members.map(([name, json]) => `${JSON.stringify(name)}:${json}`),
  );

/** The validated line of a record, as it is written: the variables that it unsets are `null` in it, too. */
export const stagedLineOfRecord = (text: string, record: StagedRecord, hasVariables: boolean): string =>
  withMembers(text, [
    ...membersOfRecord(record, hasVariables),
    ...(record.invalidJsonKeys.length > 0
      ? [[INVALID_JSON_KEYS, JSON.stringify(record.invalidJsonKeys)] as const]
      : []),
  ]);

/** A record as a line of NDJSON: the variables that it unsets are not in `variables`. */
export function lineOfRecord(text: string, record: RecordKeys): string {
  const members = new Map(splitJsonObject(text));
  const variables = [...splitJsonObject(members.get('variables') ?? '{}')];
  const set = variables.filter(([key]) => !record.unsetKeys.includes(key));
  if (set.length > 0) members.set('variables', withMembers('{}', set));
  else members.delete('variables');
  return withMembers('{}', [...members, ...membersOfRecord(record, set.length > 0)]);
}
