import { usage } from '../cli-error';
import { exactJson, isLosslessNumber } from '../api/exact-json';
import { escaped, print, Printer, visible, visibleLines } from './console';

export const FORMATS = ['table', 'json', 'yaml', 'csv', 'name', 'terraform'] as const;
export type Format = (typeof FORMATS)[number];

export type Row = Readonly<Record<string, unknown>>;

/** What is printed of a row, and how. */
interface Columns {
  /** Members to show, in order. */
  readonly names: readonly string[];
  /** The member that `-o name` prints. */
  readonly name: string;
}

/** Prints rows, one after the other, as they come. @throws Failure for a format of single things */
export async function printList(format: Format, rows: AsyncIterable<Row>, columns: Columns): Promise<void> {
  if (format === 'terraform')
    throw usage('-o terraform is for one thing, not for a list: Terraform takes a flat object of strings.');
  if (format === 'table') {
    const { printTable } = await import('./table.js');
    return printTable(rows, columns.names);
  }
  const printer = new Printer();
  try {
    const { item, after } = await writerOf(format, columns);
    let count = 0;
    for await (const row of rows) await printer.add(item(row, count++));
    await printer.add(after(count));
  } finally {
    await printer.flush();
  }
}

/** Prints one thing: as a table, a line for each member, and for each variable. */
export async function printOne(format: Format, row: Row, columns: Columns): Promise<void> {
  switch (format) {
    case 'table': {
      const { printMembers } = await import('./table.js');
      return printMembers(membersOf(row, columns.names));
    }
    case 'json':
      return print(`${escaped(exactJson.stringify(row, 2))}\n`);
    case 'yaml': {
      const { yamlOf } = await import('./yaml.js');
      return print(yamlOf(row));
    }
    case 'terraform': {
      return print(`${escaped(terraformOf(row))}\n`);
    }
    case 'name':
    case 'csv': {
      const { item } = await writerOf(format, columns);
      return print(item(row, 0));
    }
  }
}

/** How a list is written: its items, with what stands before the first, and what stands after so many. */
interface ListWriter {
  readonly item: (row: Row, index: number) => string;
  readonly after: (count: number) => string;
}

async function writerOf(
  format: Exclude<Format, 'table' | 'terraform'>,
  columns: Columns,
): Promise<ListWriter> {
  switch (format) {
    case 'json':
      return {
        item: (row, index) => `${index === 0 ? '[\n' : ',\n'}${escaped(exactJson.stringify(row, 2))}`,
        after: (count) => (count === 0 ? '[]\n' : '\n]\n'),
      };
    case 'yaml': {
      const { yamlOf } = await import('./yaml.js');
      // Lists of one item, one behind the other, are a list of all.
      return { item: (row) => yamlOf([row]), after: (count) => (count === 0 ? '[]\n' : '') };
    }
    case 'csv': {
      const { csvHeader, csvRecord } = await import('./csv.js');
      const shown = (text: string) => (process.stdout.isTTY ? visibleLines(text) : text);
      const header = csvHeader(columns.names);
      return {
        item: (row, index) => (index === 0 ? header : '') + shown(csvRecord(row, columns.names)),
        after: (count) => (count === 0 ? header : ''),
      };
    }
    case 'name': {
      const shown = (text: string) => (process.stdout.isTTY ? visible(text) : text);
      return {
        item: (row) => `${shown(String(row[columns.name] ?? row['id']))}\n`,
        after: () => '',
      };
    }
  }
}

/** The members of a thing that are shown, its variables one by one. */
function membersOf(row: Row, names: readonly string[]): (readonly [string, unknown])[] {
  return names
    .filter((name) => Object.hasOwn(row, name))
    .flatMap((name) => {
      const value = row[name];
      return name === 'variables' && isPlainObject(value)
        ? Object.entries(value).map(([key, one]) => [`variables.${key}`, one] as const)
        : [[name, value] as const];
    });
}

const isPlainObject = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value);
/**
 * A value as a member of a printed row. People see the JSON that `set` takes, in which `"true"` and `true`, and `null`
 * and nothing at all, can be told apart; programs get the value itself.
 */

export const shownValue = (format: Format, value: unknown): unknown =>
  format === 'table' && value !== undefined ? exactJson.stringify(value) : value;

/**
 * What Terraform's data source `external` reads: one object whose values are all strings. A string is itself, all else
 * its JSON, for `jsondecode`. Variables stand beside the members; one that is called like a member has `variables.`
 * before its name.
 */
function terraformOf(row: Row): string {
  const { variables, ...members } = row;
  const flat = new Map(Object.entries(members).map(([name, value]) => [name, textOf(value)]));
  if (variables !== undefined)
    for (const [key, value] of Object.entries(variables ?? {}))
      flat.set(Object.hasOwn(members, key) ? `variables.${key}` : key, textOf(value));
  return exactJson.stringify(Object.fromEntries(flat), 2);
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : exactJson.stringify(value));
