import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const COMPRESSIBLE = /\.(js|css|svg|ico|json|webmanifest|txt)$/;
/** Below this a body and its headers fit one packet anyway, in bytes. */
const WORTH_IT = 1024;

const smallest = {
  '.br': (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  '.gz': (bytes: Buffer) => promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
};

/**
 * Writes `file.js.br` and `file.js.gz` beside every built file that they make smaller. Fonts and pictures are compressed
 * already; index.html is compressed by the server, which adds what each route needs.
 */
export function compress(): Plugin {
  let folder = '';
  return {
    name: 'fairlead:compress',
    apply: 'build',
    configResolved(config) {
      folder = join(config.root, config.build.outDir);
    },
    async closeBundle() {
      const files = globSync('**/*', { cwd: folder }).filter((name) => COMPRESSIBLE.test(name));
      await Promise.all(files.map((name) => compressFile(join(folder, name))));
    },
  };
}

async function compressFile(file: string): Promise<void> {
  const bytes = await readFile(file);
  if (bytes.length < WORTH_IT) return;
  for (const [suffix, encode] of Object.entries(smallest)) {
    const small = await encode(bytes);
    if (small.length < bytes.length) await writeFile(file + suffix, small);
  }
}
