import { diffText, type VariableChange } from '../changes/variable-diff';
import { byCodePoint } from '../core/characters';
import type { PreviewPage } from '../core/context/request-context';

/** A device whose resolved variables a change alters, and how. */
export interface AffectedDevice {
  readonly kind: string;
  readonly id: number;
  readonly name: string;
  readonly changes: readonly VariableChange[];
  /** It comes into being by the change, under an id that it has in this try alone. */
  readonly fresh?: boolean;
}

/** What a change does to devices: how many, by which keys, and some of them in the order of their ids. */
export interface Impact {
  readonly devices: number;
  readonly keys: Iterable<string>;
  readonly items: readonly AffectedDevice[];
}

/** The `impact` of a preview as JSON text. @param found with one item more than the page has, if there is one */
export function impactText({ devices, keys, items }: Impact, page: PreviewPage, base: string): string {
  const shown = items.slice(0, page.limit);
  const last = items.length > shown.length ? shown.at(-1) : undefined;
  // Behind an id that the next try will not have nothing can be found, or everything once more.
  const next = last?.fresh === true ? undefined : last?.id;
  const head = JSON.stringify({ devices, keys: [...keys].sort(byCodePoint) });
  return `${head.slice(0, -1)},"items":[${shown.map(affectedText).join(',')}],"links":${linksText(page, base, next)}}`;
}

/** A device and what changes for it, as JSON text. */
export function affectedText({ kind, id, name, changes }: AffectedDevice): string {
  const head = JSON.stringify({ kind, id, name });
  return `${head.slice(0, -1)},"changes":${diffText(changes)}}`;
}

function linksText({ marker, path, query }: PreviewPage, base: string, next: number | undefined): string {
  const href = (at: number | undefined) => {
    const parameters = new URLSearchParams(query);
    if (at === undefined) parameters.delete('marker');
    else parameters.set('marker', String(at));
    return `${base}${path}?${parameters.toString()}`;
  };
  return JSON.stringify([
    { rel: 'self', href: href(marker) },
    ...(marker === undefined ? [] : [{ rel: 'first', href: href(undefined) }]),
    ...(next === undefined ? [] : [{ rel: 'next', href: href(next) }]),
  ]);
}
