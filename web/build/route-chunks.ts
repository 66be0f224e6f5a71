import type { Plugin, Rolldown } from 'vite';
import { ROUTE_MODULES } from './route-modules.ts';

type Chunks = ReadonlyMap<string, Rolldown.OutputChunk>;

/**
 * Writes `.vite/routes.json`: for each route the scripts that it needs besides those that index.html names. The server
 * adds them to the page of that route. Writes the client's file into index.html.
 */
export function routeChunks(): Plugin {
  return {
    name: 'fairlead:route-chunks',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const chunks: Chunks = new Map(
        Object.values(bundle).flatMap((one) => (one.type === 'chunk' ? [[one.fileName, one] as const] : [])),
      );
      const entries = [...chunks.values()].filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName);
      const initial = new Set(withImports(chunks, entries));
      const routes = Object.entries(ROUTE_MODULES).map(([pattern, modules]) => {
        const own = withImports(
          chunks,
          modules.map((module) => chunkOf(chunks, module)),
        );
        return [pattern, own.filter((file) => !initial.has(file))] as const;
      });
      const source = JSON.stringify(Object.fromEntries(routes), null, 1);
      this.emitFile({ type: 'asset', fileName: '.vite/routes.json', source });
      nameClient(bundle['index.html'], chunkOf(chunks, CLIENT));
    },
  };
}

/** What renews sessions and forgets them: the first script of index.html fetches it for those who need it at once. */
const CLIENT = 'lib/backend/backend-library.ts';

function nameClient(page: Rolldown.OutputAsset | Rolldown.OutputChunk | undefined, file: string): void {
  if (page?.type !== 'asset' || !String(page.source).includes('%CLIENT%'))
    throw new Error('index.html has no place for the name of the client.');
  page.source = String(page.source).replace('%CLIENT%', `/${file}`);
}

function chunkOf(chunks: Chunks, module: string): string {
  const isIn = ({ moduleIds }: Rolldown.OutputChunk) => moduleIds.some((id) => id.endsWith(`/web/src/${module}`));
  const found = [...chunks.values()].find(isIn);
  if (!found) throw new Error(`web/build/route-modules.ts names ${module}, which no built file holds.`);
  return found.fileName;
}

/** The files and all that they import, which the browser would find out one after the other. */
function withImports(chunks: Chunks, files: readonly string[]): string[] {
  const found = new Set<string>();
  const add = (file: string) => {
    if (found.has(file)) return;
    found.add(file);
    chunks.get(file)?.imports.forEach(add);
  };
  files.forEach(add);
  return [...found];
}
