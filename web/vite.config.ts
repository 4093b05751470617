import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** The file with what so many pages and dialogs have in common that it is loaded with the start. */
const SHARED = 'shared';
/** Of fewer, a page would load more code that it does not need: test/web/first-load.spec.ts has the limit. */
const MIN_SHARED = 11;

/** Smaller files are sent as they are: a compressed response would save less than one packet. */
const MIN_COMPRESSED_BYTES = 1_400;

/** Writes each hashed file in compressed form, too, so that the service never compresses. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const names = Object.keys(bundle).filter((name) => /\.(js|css|svg)$/.test(name));
      await Promise.all(
        names.map(async (name) => {
          const file = join(dir, name);
          const content = await readFile(file);
          if (content.length < MIN_COMPRESSED_BYTES) return;
          await writeFile(`${file}.br`, await promisify(brotliCompress)(content));
          await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
        }),
      );
    },
  };
}

/**
 * Moves the style sheets behind the skeleton, which has its own styles: otherwise nothing would be shown before they have arrived.
 * They stand before the application, whose own style elements override them.
 */
const stylesAfterSkeleton: Plugin = {
  name: 'styles-after-skeleton',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html) => {
      const styles = html.match(/<link rel="stylesheet"[^>]*>/g) ?? [];
      const others = styles.reduce((rest, link) => rest.replace(link, ''), html);
      return others.replace('<div id="root">', `${styles.join('')}<div id="root">`);
    },
  },
};

/** Loads the shared file together with the start, which imports it only when it has begun to run. */
const preloadShared: Plugin = {
  name: 'preload-shared',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle = {} }) => {
      const shared = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === SHARED);
      if (!shared) throw new Error('there is no shared file');
      return html.replace('</head>', `<link rel="modulepreload" href="./${shared.fileName}"></head>`);
    },
  },
};

// `npm test` builds with NODE_ENV=test, for which React has no small build.
process.env.NODE_ENV = 'production';

export default defineConfig({
  // A hundred names of files tell nobody anything at `npm start`.
  logLevel: 'warn',
  // References are relative to the `base` element, which names the path prefix.
  base: './',
  plugins: [react(), stylesAfterSkeleton, preloadShared, precompress()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // The first versions with `light-dark()` and exact numbers in JSON.
    target: ['chrome123', 'firefox135', 'safari18.4'],
    // An inlined file would need `data:` in the Content-Security-Policy.
    assetsInlineLimit: 0,
    // All have 5 kB more than those of the start, and there are no further requests for them.
    cssCodeSplit: false,
    // Browsers without modulepreload load the same files a little later.
    modulePreload: { polyfill: false },
    manifest: true,
    // On a slow machine, the time that compression takes would be a warning.
    rolldownOptions: {
      checks: { bundlerTimings: false },
      output: {
        codeSplitting: {
          groups: [
            // On a slow network, each request costs more than the bytes of a small file.
            { name: 'start', tags: ['$initial'] },
            // A page would need forty small files, and a browser sends six requests at a time to a server without HTTP/2.
            { name: SHARED, minShareCount: MIN_SHARED },
          ],
        },
      },
    },
    // test/web/first-load.spec.ts limits what a browser loads.
    chunkSizeWarningLimit: 1_000,
  },
  server: { proxy: { '/v1': 'http://127.0.0.1:7780' } },
});
