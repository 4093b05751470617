import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from '../../support/service';

const read = (name: string) => readFileSync(join(PROJECT, name), 'utf8');

const pages = ['.', 'docs', 'docs/adr', 'docs/api', 'web'].flatMap((folder) =>
  readdirSync(join(PROJECT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
);

/** The anchors of a page's headings, as GitHub makes them: a repeated one gets a number. */
function anchorsOf(page: string): Set<string> {
  const anchors = new Set<string>();
  const prose = read(page).replace(/^```[\s\S]*?^```$/gm, '');
  for (const [, heading = ''] of prose.matchAll(/^#+ (.+)$/gm)) {
    const text = heading.replace(/\[([^\]]+)\]\([^)]*\)/g, '$1').toLowerCase();
    const anchor = text.replace(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-');
    for (let copies = 0; ; copies++) {
      const own = copies === 0 ? anchor : `${anchor}-${String(copies)}`;
      if (anchors.has(own)) continue;
      anchors.add(own);
      break;
    }
  }
  return anchors;
}

it.each(pages)('links of %s lead to existing files and headings', (page) => {
  const links = [...read(page).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)/g)];
  const dead = links.flatMap(([link, path = '', anchor]) => {
    const target = path === '' ? page : join(page, '..', path);
    if (!existsSync(join(PROJECT, target))) return [link];
    return anchor === undefined || anchorsOf(target).has(anchor) ? [] : [link];
  });
  expect(dead).toEqual([]);
});
