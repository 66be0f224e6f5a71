import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('the bill of materials names every package that is asked for, without a network', { timeout: 60_000 }, () => {
  const env = { ...process.env, npm_config_registry: 'http://127.0.0.1:9' };
  const text = execFileSync(process.execPath, ['scripts/sbom.mjs'], { encoding: 'utf8', maxBuffer: 2 ** 28, env });
  const bill = JSON.parse(text) as { bomFormat: string; components: { name: string; version: string; purl: string }[] };
  expect(bill.bomFormat).toBe('CycloneDX');
  const named = new Map(
    bill.components.map(({ purl, version }) => [decodeURIComponent(purl.split('@').slice(0, -1).join('@')), version]),
  );
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: Record<string, string> };
  for (const [name, version] of Object.entries(dependencies)) expect(named.get(`pkg:npm/${name}`), name).toBe(version);
});
