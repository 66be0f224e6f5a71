import { gone, see } from '#test/e2e/harness/steps.ts';
import { button, open, type State } from './state.ts';

/** What lies around and over the pages. */
export const SHELL: readonly State[] = [
  { name: 'not-found', as: 'regular', reach: (page) => open(page, '/nowhere') },
  {
    name: 'avatar-menu',
    as: 'regular',
    async reach(page) {
      await open(page, '/account');
      await button(page, 'Account menu').click();
      await see(page.getByRole('menu'));
    },
  },
  {
    name: 'sidebar-toggled',
    as: 'regular',
    async reach(page) {
      await open(page, '/account');
      await button(page, 'Toggle sidebar').click();
      await gone(page.getByRole('tooltip'));
    },
  },
  {
    name: 'palette',
    as: 'regular',
    async reach(page) {
      await open(page, '/account');
      await page.keyboard.press('Control+k');
      await see(page.getByRole('dialog'));
    },
  },
  {
    name: 'shortcuts',
    as: 'regular',
    async reach(page) {
      await open(page, '/account');
      await page.keyboard.press('?');
      await see(page.getByRole('dialog'));
    },
  },
  {
    name: 'training-video',
    as: 'regular',
    async reach(page) {
      // No picture depends on YouTube.
      await page.route('https://www.youtube-nocookie.com/**', (route) =>
        route.fulfill({ contentType: 'text/html', body: '<body style="background:#111">' }),
      );
      await open(page, '/usage');
      await button(page, 'Watch the tour').click();
      await see(page.getByRole('dialog'));
    },
  },
];
