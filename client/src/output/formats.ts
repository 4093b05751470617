import { exactJson, isLosslessNumber } from '../api/exact-json';
import { usageError } from '../cli-error';
import { BufferedPrinter, escapeControl, escapeControlInJson, escapeControlInLines, print } from './console';
import type { Row, Rows } from './rows';

export const FORMATS = ['table', 'json', 'yaml', 'csv', 'name', 'terraform'] as const;
export type OutputFormat = (typeof FORMATS)[number];

/** Which members of a row are printed. */
interface Columns {
  /** The members, in order. */
  readonly names: readonly string[];
  /** The member that `-o name` prints. */
  readonly name: string;
  /** Whether a table on a terminal wraps long cells instead of truncating them. */
  readonly wraps?: true;
}

/** Prints rows as they arrive. @returns their number @throws CliError for a format that cannot print lists */
export async function printList(format: OutputFormat, rows: Rows, columns: Columns): Promise<number> {
  if (format === 'terraform')
    throw usageError('-o terraform cannot print a list: Terraform reads a single flat object of strings.');
  if (format === 'table') {
    const { printTable } = await import('./table.js');
    return printTable(rows, columns.names, columns.wraps);
  }
  const printer = new BufferedPrinter();
  try {
    const { writeItem, writeEnd } = await listWriter(format, columns);
    let count = 0;
    for await (const row of rows) await printer.add(writeItem(row, count++));
    await printer.add(writeEnd(count));
    return count;
  } finally {
    await printer.flush();
  }
}

/**
 * Prints one object. A table has a line for each member and for each variable.
 * @param name the member that `-o name` prints
 * @param names the members to print; by default all
 */
export async function printOne(
  format: OutputFormat,
  row: Row,
  name: string,
  names: readonly string[] = Object.keys(row),
): Promise<void> {
  switch (format) {
    case 'table': {
      const { printMembers } = await import('./table.js');
      return printMembers(flattenMembers(row, names));
    }
    case 'json':
      return print(`${escapeControlInJson(exactJson.stringify(row, 2))}\n`);
    case 'yaml': {
      const { toYaml } = await import('./yaml.js');
      return print(toYaml(row));
    }
    case 'terraform': {
      return print(`${escapeControlInJson(toTerraform(row))}\n`);
    }
    case 'name':
    case 'csv': {
      const { writeItem } = await listWriter(format, { names, name });
      return print(writeItem(row, 0));
    }
  }
}

/** Writes the items of a list with what separates them, and the end of the list. */
interface ListWriter {
  readonly writeItem: (row: Row, index: number) => string;
  readonly writeEnd: (count: number) => string;
}

async function listWriter(
  format: Exclude<OutputFormat, 'table' | 'terraform'>,
  columns: Columns,
): Promise<ListWriter> {
  switch (format) {
    case 'json':
      return {
        writeItem: (row, index) =>
          `${index === 0 ? '[\n' : ',\n'}${escapeControlInJson(exactJson.stringify(row, 2))}`,
        writeEnd: (count) => (count === 0 ? '[]\n' : '\n]\n'),
      };
    case 'yaml': {
      const { toYaml } = await import('./yaml.js');
      // Concatenated lists of one item form one list.
      return { writeItem: (row) => toYaml([row]), writeEnd: (count) => (count === 0 ? '[]\n' : '') };
    }
    case 'csv': {
      const { csvHeader, csvRecord } = await import('./csv.js');
      const escape = (text: string) => (process.stdout.isTTY ? escapeControlInLines(text) : text);
      const header = csvHeader(columns.names);
      return {
        writeItem: (row, index) => (index === 0 ? header : '') + escape(csvRecord(row, columns.names)),
        writeEnd: (count) => (count === 0 ? header : ''),
      };
    }
    case 'name': {
      const shown = (text: string) => (process.stdout.isTTY ? escapeControl(text) : text);
      return {
        writeItem: (row) => `${shown(String(row[columns.name] ?? row['id']))}\n`,
        writeEnd: () => '',
      };
    }
  }
}

/** The members to print, with each variable as a member of its own. */
function flattenMembers(row: Row, names: readonly string[]): (readonly [string, unknown])[] {
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
 * The value of a variable as a member of a row. In a table it is JSON, as `vars set` accepts it after `:=`, so that
 * `"true"` and `true`, or `null` and a missing value, can be distinguished; other formats contain the value itself.
 */
export const displayValue = (format: OutputFormat, value: unknown): unknown =>
  format === 'table' && value !== undefined ? exactJson.stringify(value) : value;

/**
 * A flat object of strings, for Terraform's data source `external`. Values other than strings are JSON, for `jsondecode`.
 * Variables become members of the object; one with the name of a member gets the prefix `variables.`.
 */
function toTerraform(row: Row): string {
  const { variables, ...members } = row;
  const flat = new Map(Object.entries(members).map(([name, value]) => [name, textOf(value)]));
  if (variables !== undefined)
    for (const [key, value] of Object.entries(variables ?? {}))
      flat.set(Object.hasOwn(members, key) ? `variables.${key}` : key, textOf(value));
  return exactJson.stringify(Object.fromEntries(flat), 2);
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : exactJson.stringify(value));
