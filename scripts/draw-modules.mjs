// `npm run draw`: writes a Mermaid diagram of the folders under src and their imports into docs/architecture.md. With
// --check it fails if the diagram is outdated.
import { readFileSync, writeFileSync } from 'node:fs';
import { cruise } from 'dependency-cruiser';
import folders from './lib/folders.cjs';
import { Failure, fileOf, orExplain } from './lib/project.mjs';

const PAGE = 'docs/architecture.md';
const BLOCK = /(<!-- imports -->\n\n```mermaid\n)[^`]*(```\n)/;

const nodes = folders.order.flat();

const folderOf = (path) => nodes.find((folder) => path.startsWith(`src/${folder}/`));

/** The folders that each folder imports from. */
async function readImports() {
  const { output } = await cruise(['src'], {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
  });
  const imports = new Map();
  for (const { source, dependencies } of output.modules) {
    const from = folderOf(source);
    if (from === undefined) continue;
    const folders = imports.get(from) ?? imports.set(from, new Set()).get(from);
    for (const { resolved } of dependencies) {
      const to = folderOf(resolved);
      if (to !== undefined && to !== from) folders.add(to);
    }
  }
  return imports;
}

/** Whether a folder imports another indirectly, too. Such an arrow is omitted. */
function isIndirect(imports, from, to) {
  const seen = new Set();
  const queue = [...imports.get(from)].filter((folder) => folder !== to);
  while (queue.length > 0) {
    const folder = queue.pop();
    if (folder === to) return true;
    if (seen.has(folder) || folder === from) continue;
    seen.add(folder);
    queue.push(...(imports.get(folder) ?? []));
  }
  return false;
}

await orExplain(async () => {
  const imports = await readImports();
  const arrows = [...imports].flatMap(([from, folders]) =>
    [...folders].filter((to) => !isIndirect(imports, from, to)).map((to) => `  ${from} --> ${to}\n`),
  );
  const page = readFileSync(fileOf(PAGE), 'utf8');
  const drawn = page.replace(
    BLOCK,
    (_, start, end) => `${start}flowchart TD\n${arrows.sort().join('')}${end}`,
  );
  if (!process.argv.includes('--check')) writeFileSync(fileOf(PAGE), drawn);
  else if (drawn !== page) throw new Failure(`The diagram in ${PAGE} is outdated. Run: npm run draw`);
});
