// `npm run screens`: pictures of every screen in its states, in both themes and at three widths, into screens/.
// `npm run screens -- login list-plain 390`: only states whose names begin so, and only that width.
import { ready } from './set-up/ready.mjs';

await ready(async () => {
  const { ensureChromium } = await import('./set-up/chromium.mjs');
  const { buildIfStale } = await import('./build.mjs');
  const { takeScreens } = await import('../test/e2e/screens/take-screens.ts');
  ensureChromium();
  await buildIfStale();
  await takeScreens('screens', process.argv.slice(2));
});
