// `npm run draw`: writes a Mermaid diagram of the folders under src and their imports into docs/architecture.md. With
// --check it fails if the diagram is outdated, or if an import breaks a rule of .dependency-cruiser.cjs: reading all imports
// takes most of the time of both.
import { readFileSync, writeFileSync } from 'node:fs';
import { cruise, format } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import ruleSet from '../.dependency-cruiser.cjs';
import folders from './lib/folders.cjs';
import { Failure, fileOf, orExplain } from './lib/project.mjs';

const SOURCES = ['src', 'packages/*/src', 'client/src', 'web/src', 'ormconfig.ts'];

const PAGE = 'docs/architecture.md';
const BLOCK = /(<!-- imports -->\n\n```mermaid\n)[^`]*(```\n)/;

const nodes = folders.order.flat();

const folderOf = (path) => nodes.find((folder) => path.startsWith(`src/${folder}/`));

/** All modules, their imports, and which of these break a rule. */
async function readModules() {
  const tsConfig = extractTSConfig(ruleSet.options.tsConfig.fileName);
  const { output } = await cruise(SOURCES, { ruleSet, validate: true }, {}, { tsConfig });
  return output;
}

/** The folders that each folder imports from. */
function importsOf(modules) {
  const imports = new Map();
  for (const { source, dependencies } of modules) {
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
  const read = await readModules();
  const imports = importsOf(read.modules);
  const arrows = [...imports].flatMap(([from, folders]) =>
    [...folders].filter((to) => !isIndirect(imports, from, to)).map((to) => `  ${from} --> ${to}\n`),
  );
  const page = readFileSync(fileOf(PAGE), 'utf8');
  const drawn = page.replace(
    BLOCK,
    (_, start, end) => `${start}flowchart TD\n${arrows.sort().join('')}${end}`,
  );
  if (!process.argv.includes('--check')) {
    writeFileSync(fileOf(PAGE), drawn);
    return;
  }
  const { output, exitCode } = await format(read, { outputType: 'err' });
  console.log(output);
  if (exitCode > 0) throw new Failure('Imports break the rules of .dependency-cruiser.cjs: see above.');
  if (drawn !== page) throw new Failure(`The diagram in ${PAGE} is outdated. Run: npm run draw`);
});
