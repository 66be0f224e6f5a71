import { expect, test } from 'vitest';
import { ROUTE_MODULES } from '../build/route-modules.ts';
import { routes } from './router.tsx';
import type { PageRoute } from './shell/pages.tsx';

/** Full paths of all routes that show a page. */
function pathsOf(all: readonly PageRoute[], parent = ''): string[] {
  return all.flatMap((route) => {
    const path = `${parent}/${route.path ?? ''}`.replaceAll(/\/+/g, '/');
    if (route.children) return pathsOf(route.children, path);
    return route.path === '*' ? [] : [path];
  });
}

test('what each route fetches first is known to the build', () => {
  expect(Object.keys(ROUTE_MODULES).sort()).toEqual(pathsOf(routes).sort());
  const files = Object.keys(import.meta.glob(['./{shell,lib,pages}/**/*.{ts,tsx}', '!./**/*.test.*']));
  for (const module of Object.values(ROUTE_MODULES).flat()) expect(files).toContain(`./${module}`);
});
