// `npm run build:service`, after the compiler: writes the bundle of the programs, dist/bundle, from which they start in a
// third of the time. Nest is about 1,800 modules, and Node finds, reads and compiles each of them. See src/bundle.ts.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { fileOf, PROJECT } from './lib/project.mjs';

const FOLDER = fileOf('dist/bundle');

/** Stays outside: it finds files beside its own. */
const EXTERNAL = [/^swagger-ui-dist\//];

/** Packages that `await import` optional packages: those that Muster does not have stay outside. */
const isMissingOptional = ({ code, id }) => code === 'UNRESOLVED_IMPORT' && id?.includes('/node_modules/');

/** @throws if the code does not have the text: a package has changed, and the replacement with it */
function replaceText(code, text, replacement) {
  if (!code.includes(text))
    throw new Error(`A package that is bundled has changed. It does not contain: ${text}`);
  return code.replace(text, replacement);
}

/** What modules of Muster and of Nest ask for that is different in a bundle. */
const paths = {
  name: 'paths',
  transform(code, id) {
    // Nest requires the packages of its users in this way, and Rolldown does not recognize it.
    if (id.includes('/node_modules/@nestjs/'))
      return code.replace(/^const require = createRequire\(import\.meta\.url\);$/m, '');
    // The driver of PostgreSQL looks for the runtime of Cloudflare, for which Node.js 20 loads all of its `fetch`.
    if (id.endsWith('/node_modules/pg/lib/stream.js'))
      return replaceText(code, 'if (isCloudflareRuntime())', 'if (false)');
    // The file and the folder of the compiled module.
    if (!id.includes('/node_modules/')) {
      const original = { __filename: relative(FOLDER, id), __dirname: relative(FOLDER, dirname(id)) };
      const inBundle = (name) => `require('node:path').join(__dirname, ${JSON.stringify(original[name])})`;
      return code.replaceAll(/\b(__filename|__dirname)\b/g, inBundle);
    }
    return undefined;
  },
};

async function bundle() {
  const build = await rolldown({
    cwd: PROJECT,
    input: fileOf('dist/src/programs.js'),
    platform: 'node',
    external: EXTERNAL,
    plugins: [paths],
    onLog(level, log, print) {
      if (log.code !== 'EVAL' && !isMissingOptional(log)) print(level === 'warn' ? 'error' : level, log);
    },
  });
  const { output } = await build.generate({
    format: 'cjs',
    codeSplitting: false,
    // Nest and TypeORM use the names of classes.
    keepNames: true,
    charset: 'ascii',
  });
  await build.close();
  // Rolldown leaves other characters in comments and in tagged templates.
  const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const text = withOneCopyOfEachModule(output[0].code);
  if (/(?<!\\)(?:\\\\)*\\[^\0-\x7F]/.test(text))
    throw new Error(
      'The bundle has a backslash before a character that is not ASCII: it would escape the backslash of \\u.',
    );
  const code = text.replaceAll(/[^\0-\x7F]/g, escaped);
  return `(function (exports, require, __filename, __dirname) {${code}\n})`;
}

/** Rolldown copies an ES module for each CommonJS module that requires it. Node.js gives all of them the same object. */
function withOneCopyOfEachModule(code) {
  return replaceText(
    code,
    'var __toCommonJS = ',
    `const __copies = new WeakMap();
function __toCommonJS(mod) {
	if (!__copies.has(mod)) __copies.set(mod, __copy(mod));
	return __copies.get(mod);
}
var __copy = `,
  );
}

/** Runs all modules of the bundle, and a start. @returns the functions that were compiled, for src/bundle.ts */
async function compile() {
  const { compileBundle, runBundle } = createRequire(import.meta.url)('../dist/src/bundle.js');
  const script = compileBundle();
  const { programs, warmUp } = runBundle(script);
  for (const load of Object.values(programs)) await load();
  await warmUp();
  return script.createCachedData();
}

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
writeFileSync(fileOf('dist/bundle/programs.js'), await bundle());
writeFileSync(fileOf('dist/bundle/programs.cache'), await compile());
