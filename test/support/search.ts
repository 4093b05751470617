import type { Caller } from './caller';

interface Place {
  readonly id: number;
  readonly name: string;
}

export interface Hit {
  readonly kind: string;
  readonly id: number | string | null;
  readonly name: string;
  readonly region: Place | null;
  readonly cell: Place | null;
  readonly match: string;
  readonly member: string;
  readonly key: string | null;
  readonly matched: string | null;
  readonly href: string;
}

interface Result {
  readonly hits: readonly Hit[];
  readonly substrings: boolean;
}

/** Searches the caller's project, or the one of the query. */
export const search = async (caller: Caller, text: string, query = ''): Promise<Result> =>
  (await caller.get(`/v1/search?q=${encodeURIComponent(text)}${query}`).expect(200)).body as Result;

/** What is compared of a hit. */
export const summary = ({
  kind,
  name,
  match,
  member,
  key,
}: Pick<Hit, 'kind' | 'name' | 'match' | 'member' | 'key'>): string =>
  [kind, name, match, member, key ?? ''].join('|');

export const summaries = async (caller: Caller, text: string, query = ''): Promise<string[]> =>
  (await search(caller, text, query)).hits.map(summary);
