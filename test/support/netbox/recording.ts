import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** The answers of a real NetBox with its public demo data, which are not part of the repository. */
const ARCHIVE =
  process.env['MUSTER_NETBOX_RECORDING'] ??
  resolve(__dirname, '../../../../shared/data/netbox-demo/netbox-demo.tar.xz');

/** Whether the recording is there. If not, prints how to set its path. */
export function hasRecording(): boolean {
  const exists = existsSync(ARCHIVE);
  if (!exists)
    console.warn(
      `The tests of a recorded NetBox are SKIPPED: ${ARCHIVE} does not exist. Set MUSTER_NETBOX_RECORDING.`,
    );
  return exists;
}

/** Unpacks the recording into a temporary folder. The caller removes it. */
export function unpackRecording(): { readonly folder: string; remove(): void } {
  const temporary = mkdtempSync(join(tmpdir(), 'muster-netbox-'));
  execFileSync('tar', ['-C', temporary, '-xJf', ARCHIVE]);
  return {
    folder: join(temporary, 'netbox-demo'),
    remove: () => {
      rmSync(temporary, { recursive: true, force: true });
    },
  };
}

/** The texts of the objects of a recorded list. */
export function recordedItems(folder: string, path: string): string[] {
  const files = readdirSync(join(folder, path)).filter((name) => name.startsWith('page-'));
  return files.sort().flatMap((name) => splitResults(readFileSync(join(folder, path, name), 'utf8')));
}

/** Splits a page into the texts of its results, without changing numbers. */
function splitResults(page: string): string[] {
  const items: string[] = [];
  let [depth, start, inString] = [0, 0, false];
  for (let at = page.indexOf('"results":[') + '"results":['.length; at < page.length; at++) {
    const character = page.charAt(at);
    if (inString) {
      if (character === '\\') at++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') {
      if (depth === 0) start = at;
      depth++;
    } else if (character === '}' || character === ']') {
      depth--;
      if (depth === 0) items.push(page.slice(start, at + 1));
    }
  }
  return items;
}
