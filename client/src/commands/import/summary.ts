import { text } from 'node:stream/consumers';
import { physicalLines } from '../../files/lines';
import { asObject, exactJson, plainNumber } from '../../api/exact-json';
import { printOne, type Format } from '../../output/formats';
import { print, say, visible } from '../../output/console';
import { bytesOf } from '../long-requests';
import { alterationsOf, impactOf } from '../dry-run';
import { placeText, type Place } from './source';

/** What was wrong with a line. */
interface Fault {
  readonly place: Place;
  readonly code: string;
  readonly message: string;
}

/** What a line has made or changed. */
interface Altered {
  readonly place: Place;
  readonly result: 'created' | 'updated';
  readonly kind: string;
  readonly name: string;
}

/** How many lines came to what. */
interface Counts {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly failed: number;
}

/** What an import came to. */
export interface Summary extends Counts {
  /** As many as the service has told. */
  readonly faults: readonly Fault[];
  /** What was done, or would be, by line: as many as were asked for. */
  readonly altered?: readonly Altered[];
  /** What a trial tells of devices. */
  readonly impact?: Readonly<Record<string, unknown>>;
}

/** So many faults are told at a terminal. */
export const SHOWN = 20;

/**
 * Reads the answer to an import.
 * @param placeOf tells where a line of the body comes from
 * @param mostAltered of so many lines at most it is kept what was done
 * @throws Unreachable where it is cut off
 */
export async function readSummary(
  answer: Response,
  placeOf: (line: number) => Place,
  mostAltered: number,
): Promise<Summary> {
  const isByLine = answer.headers.get('content-type')?.startsWith('application/x-ndjson') === true;
  const bytes = bytesOf(answer, true);
  if (!isByLine || answer.body === null) return summaryOf(exactJson.parse(await text(bytes)), placeOf);
  const faults: Fault[] = [];
  const altered: Altered[] = [];
  let last = '{}';
  for await (const lines of physicalLines(bytes))
    for (const line of lines) {
      last = line.toString('utf8');
      if (last.includes('"result":"failed"')) faults.push(faultOf(exactJson.parse(last), placeOf));
      else if (altered.length < mostAltered && ALTERED.test(last))
        altered.push(alteredOf(exactJson.parse(last), placeOf));
    }
  return { ...summaryOf(exactJson.parse(last), placeOf), faults, ...(mostAltered > 0 ? { altered } : {}) };
}

const ALTERED = /"result": ?"(created|updated)"/;

function alteredOf(told: unknown, placeOf: (line: number) => Place): Altered {
  const { line, result, kind, name } = asObject(told);
  return {
    place: placeOf(plainNumber(line)),
    result: result === 'created' ? 'created' : 'updated',
    kind: String(kind),
    name: String(name),
  };
}

/** What an answer says, or the refusal of an import, which says the same. */
export function summaryOf(body: unknown, placeOf: (line: number) => Place): Summary {
  const { created, updated, unchanged, failed, errors, impact } = asObject(body);
  return {
    created: plainNumber(created),
    updated: plainNumber(updated),
    unchanged: plainNumber(unchanged),
    failed: plainNumber(failed),
    faults: (Array.isArray(errors) ? errors : []).map((error) => faultOf(error, placeOf)),
    ...(impact === undefined ? {} : { impact: asObject(impact) }),
  };
}

function faultOf(error: unknown, placeOf: (line: number) => Place): Fault {
  const { line, code, message } = asObject(error);
  return { place: placeOf(plainNumber(line)), code: String(code), message: String(message) };
}

export const NOTHING: Summary = { created: 0, updated: 0, unchanged: 0, failed: 0, faults: [] };

/** Two parts of an import together. */
export const added = (one: Summary, other: Summary): Summary => ({
  created: one.created + other.created,
  updated: one.updated + other.updated,
  unchanged: one.unchanged + other.unchanged,
  failed: one.failed + other.failed,
  faults: [...one.faults, ...other.faults],
});

/** Prints what an import came to. */
export async function printSummary(format: Format, summary: Summary, isTried: boolean): Promise<void> {
  const { faults, impact, altered, created, updated, unchanged, failed } = summary;
  if (format === 'table') {
    await print(`${isTried ? 'Would be: ' : ''}${countsText(summary)}\n`);
    if (altered) await printAltered(altered, created + updated);
    if (impact) await printImpact(impact);
    say(...faultLines(summary));
    return;
  }
  const row = {
    ...(isTried ? { dry_run: true } : {}),
    ...{ created, updated, unchanged, failed },
    errors: faults.map(({ place, code, message }) => ({ ...place, code, message })),
    ...(altered ? { altered: altered.map(({ place, ...rest }) => ({ ...place, ...rest })) } : {}),
    ...(impact ? { impact } : {}),
  };
  await printOne(format, row, { names: Object.keys(row), name: 'created' });
}

/** `5 created, 1 updated, 0 unchanged` */
function countsText({ created, updated, unchanged, failed }: Counts): string {
  const text = `${String(created)} created, ${String(updated)} updated, ${String(unchanged)} unchanged`;
  return failed === 0 ? text : `${text}, ${String(failed)} failed`;
}

/** The first faults, each with its place. */
export function faultLines({ faults, failed }: Pick<Summary, 'faults' | 'failed'>): string[] {
  const shown = faults
    .slice(0, SHOWN)
    .map(({ place, message }) => `  ${visible(`${placeText(place)}: ${message}`)}`);
  const more = failed - shown.length;
  const hint = faults.length > shown.length ? ' (-o json tells them)' : '';
  return more > 0 ? [...shown, `  and ${String(more)} more${hint}`] : shown;
}

async function printAltered(altered: readonly Altered[], all: number): Promise<void> {
  const lines = altered.map(
    ({ place, result, kind, name }) => `  ${visible(`${result} ${kind} ${name} (${placeText(place)})`)}\n`,
  );
  const more = all - altered.length;
  await print(`${lines.join('')}${more > 0 ? `  and ${String(more)} more (-o json tells them)\n` : ''}`);
}

async function printImpact(told: Readonly<Record<string, unknown>>): Promise<void> {
  const { devices, keys, items } = impactOf(told);
  const of = keys.length === 0 ? '' : `: ${visible(keys.join(', '))}`;
  await print(`Devices that would get other values: ${String(devices)}${of}\n`);
  const shown = items.slice(0, SHOWN);
  const lines = alterationsOf(shown).map(
    ({ kind, name, key, before, after }) =>
      `  ${visible(`${kind} ${name}  ${key}: ${valueText(before)} -> ${valueText(after)}`)}\n`,
  );
  const more = devices - shown.length;
  await print(`${lines.join('')}${more > 0 && shown.length > 0 ? `  and ${String(more)} more\n` : ''}`);
}

const valueText = (value: unknown): string =>
  value === undefined ? '(not set)' : exactJson.stringify(value);
