import { mkdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { drop, FILE } from '#test/e2e/harness/dropped-file.ts';
import { checkAccessibility, setUpJourney } from '#test/e2e/harness/journey.ts';
import { see } from '#test/e2e/harness/steps.ts';
import { PHONE } from '#test/e2e/harness/visitor.ts';

const journey = setUpJourney();

test('its states are whole on a phone and in both themes', async () => {
  const otto = await journey.person('otto');
  mkdirSync('screens/imports', { recursive: true });
  for (const viewport of [PHONE, { width: 1440, height: 900 }])
    for (const theme of ['light', 'dark'] as const) {
      const { page } = await journey.visit({ session: otto, viewport, theme });
      await page.goto('/imports');
      await drop(page, `list ${viewport.width} ${theme}.csv`, FILE);
      await see(page.getByRole('columnheader', { name: 'Business name' }));
      await checkAccessibility(page);
      const tooWide = await page.evaluate('document.documentElement.scrollWidth > window.innerWidth');
      expect(tooWide).toBe(false);
      await page.screenshot({ path: `screens/imports/review-${viewport.width}-${theme}.png`, fullPage: true });
    }
});
