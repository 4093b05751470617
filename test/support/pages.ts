import type { Response } from 'supertest';
import type { Caller, Resource } from './caller';

/** Every page of a list from this path on, by its links. */
export async function* everyPage(caller: Caller, from: string): AsyncGenerator<Resource[]> {
  let path: string | undefined = from;
  while (path !== undefined) {
    const response: Response = await caller.get(path).expect(200);
    yield response.body as Resource[];
    path = /<[^>]*?(\/v1\/[^>]*)>; rel="next"/.exec(response.headers['link'] ?? '')?.[1];
  }
}

/** Every item of a list, page by page. */
export async function* everyItem(caller: Caller, from: string): AsyncGenerator<Resource> {
  for await (const page of everyPage(caller, from)) yield* page;
}

/** The names of all items of a list, read page by page. */
export async function namesInPages(caller: Caller, from: string): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of everyItem(caller, from)) names.push(name);
  return names;
}
