// `npm run lighthouse`: figures of the login page, the dashboard and a list, on a phone and on a desktop, of a Fairlead of its own
// with invented data. Lighthouse is no part of the project: LIGHTHOUSE names the folder where it is installed (docs/benchmarks.md).
import { createRequire } from 'node:module';
import { ready } from './set-up/ready.mjs';

const RUNS = Number(process.env.LIGHTHOUSE_RUNS ?? 3);
const CATEGORIES = ['performance', 'accessibility', 'best-practices'];

await ready(async () => {
  const { lighthouse, desktop } = await loadLighthouse();
  const { ensureChromium } = await import('./set-up/chromium.mjs');
  const { buildIfStale } = await import('./build.mjs');
  ensureChromium();
  await buildIfStale();
  const { rmSync } = await import('node:fs');
  const { chromium } = await import('playwright-core');
  const { freePort } = await import('#db/embedded/free-port.ts');
  const { findChromium } = await import('#test/servers/chromium.ts');
  const { startSite } = await import('#test/e2e/harness/site.ts');
  const { temporaryFolder } = await import('#test/databases/postgres.ts');
  const { main: seed } = await import('#test/seed.ts');
  const { SEED_EMAIL } = await import('#test/seed/person.ts');

  const folder = temporaryFolder();
  const site = await startSite({ env: { DATA_DIR: folder } });
  const port = await freePort();
  const profile = temporaryFolder();
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: findChromium(),
    args: ['--no-sandbox', '--disable-dev-shm-usage', `--remote-debugging-port=${port}`],
  });
  try {
    process.env.DATA_DIR = folder;
    await seed(['demo']);
    const session = await site.signIn(SEED_EMAIL);
    const listId = await fullestList(site.url, session.accessToken);
    const page = await context.newPage();
    // Lighthouse would clear the session along with the cache.
    const browser = await context.newCDPSession(page);
    for (const path of ['/login', '/', `/lists/${listId}`]) {
      await page.goto(`${site.url}/healthz`);
      await page.evaluate(
        ([key, value]) => (value ? localStorage.setItem(key, value) : localStorage.clear()),
        ['fairlead-session', path === '/login' ? '' : session.stored],
      );
      for (const [form, config] of [
        ['phone', undefined],
        ['desktop', desktop],
      ])
        for (let run = 1; run <= RUNS; run += 1) {
          await browser.send('Network.clearBrowserCache');
          const flags = { port, disableStorageReset: true, onlyCategories: CATEGORIES, logLevel: 'error' };
          const { lhr } = await lighthouse(`${site.url}${path}`, flags, config);
          report(path, form, lhr);
        }
    }
  } finally {
    await context.close();
    await site.stop();
    rmSync(profile, { recursive: true, force: true });
  }
});

async function loadLighthouse() {
  const folder = process.env.LIGHTHOUSE;
  if (!folder) {
    console.error('Set LIGHTHOUSE to the folder where lighthouse is installed. See docs/benchmarks.md.');
    process.exit(1);
  }
  const entry = createRequire(`${folder}/package.json`).resolve('lighthouse');
  const { default: lighthouse, desktopConfig: desktop } = await import(entry);
  return { lighthouse, desktop };
}

/** The list with the most leads, of those that one search finds. */
async function fullestList(url, token) {
  const { backendKey } = await (await fetch(`${url}/config.json`)).json();
  const response = await fetch(
    `${url}/rest/v1/lists?select=id,lead_count&lead_count=lte.60&order=lead_count.desc&limit=1`,
    {
      headers: { apikey: backendKey, authorization: `Bearer ${token}` },
    },
  );
  const [list] = await response.json();
  console.log(`The list has ${list.lead_count} leads.`);
  return list.id;
}

function report(path, form, { categories, audits, environment, lighthouseVersion }) {
  const scores = CATEGORIES.map((name) => Math.round((categories[name]?.score ?? 0) * 100)).join(' / ');
  const failed = Object.values(audits).filter(
    ({ score, scoreDisplayMode }) => scoreDisplayMode === 'binary' && score === 0,
  );
  const figures = [
    'first-contentful-paint',
    'largest-contentful-paint',
    'total-blocking-time',
    'cumulative-layout-shift',
  ]
    .map((name) => audits[name]?.displayValue)
    .join(', ');
  console.log(
    `${lighthouseVersion} ${form.padEnd(7)} ${path.slice(0, 12).padEnd(12)} ${scores}  FCP, LCP, TBT, CLS: ${figures}  machine: ${Math.round(environment.benchmarkIndex)}`,
  );
  for (const { id, title } of failed) console.log(`    ${id}: ${title}`);
}
