import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { CHUNKS, chunkName } from './web/build/chunks.ts';
import { compress } from './web/build/compress.ts';
import { inlineRuntime } from './web/build/inline-runtime.ts';
import { routeChunks } from './web/build/route-chunks.ts';

// In development Vite serves the pages, and hands what the server answers on to it.
const server = process.env.FAIRLEAD_SERVER ?? 'http://127.0.0.1:3000';
const answeredByServer = [
  '/api',
  '/auth/v1',
  '/rest/v1',
  '/storage/v1',
  '/realtime/v1',
  '/config.json',
  '/healthz',
  '/outbox',
];

export default defineConfig(({ command }) => {
  // A build started by a test runner would else inherit its NODE_ENV and ship React's development version.
  if (command === 'build') process.env.NODE_ENV = 'production';
  return {
    root: 'web',
    plugins: [react(), tailwindcss(), inlineRuntime(), routeChunks(), compress()],
    build: {
      outDir: 'dist',
      emptyOutDir: true,
      target: 'baseline-widely-available',
      // All browsers that the target names preload modules themselves.
      modulePreload: { polyfill: false },
      rolldownOptions: { output: { codeSplitting: CHUNKS, chunkFileNames: chunkName } },
      chunkSizeWarningLimit: 1_000, // .size-limit.mjs judges, by what the first page really loads
    },
    server: {
      proxy: Object.fromEntries(
        answeredByServer.map((path) => [path, { target: server, ws: path === '/realtime/v1' }]),
      ),
    },
  };
});
