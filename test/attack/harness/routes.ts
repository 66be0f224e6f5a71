import { globSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Endpoint } from '#contract/endpoint.ts';
import type { Site } from './site.ts';

/** `POST /api/compliance`. Where two endpoints share an address, the second is called `POST /api/search-leads all` or `open`. */
export type RouteName = string;

/** Every route that names its method, below `prefix`, as the app itself knows them. */
export function routesBelow({ app }: Pick<Site, 'app'>, prefix: string): RouteName[] {
  const named = app.routes.filter(
    ({ method, path }) => method !== 'ALL' && path.startsWith(prefix) && !path.includes('*'),
  );
  return [...new Set(named.map(({ method, path }) => `${method} ${path}`))].sort();
}

/** Every endpoint of the contract. */
export async function contractEndpoints(): Promise<Map<RouteName, Endpoint>> {
  const found = new Map<RouteName, Endpoint>();
  for (const file of globSync('contract/**/*.ts', { exclude: ['**/*.test.ts'] }).sort()) {
    const exported: Record<string, unknown> = await import(/* @vite-ignore */ pathToFileURL(file).href);
    for (const [name, value] of Object.entries(exported))
      if (isEndpoint(value)) found.set(`${value.method} ${value.path}${SHARING[name] ?? ''}`, value);
  }
  return found;
}

/** Endpoints that share an address with a plainer one, and what tells them apart here. */
const SHARING: Readonly<Record<string, string>> = {
  searchAreaEndpoint: ' all',
  countAreaEndpoint: ' all',
  searchOpenEndpoint: ' open',
};

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'path' in value && 'access' in value && 'method' in value;
