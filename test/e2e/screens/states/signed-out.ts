import { linkOf } from '#test/e2e/harness/site.ts';
import { read } from '#test/e2e/harness/steps.ts';
import { button, open, type State } from './state.ts';

/** Screens of those who are not signed in. */
export const SIGNED_OUT: readonly State[] = [
  { name: 'login', as: 'stranger', reach: (page) => open(page, '/login') },
  {
    name: 'login-denied',
    as: 'stranger',
    async reach(page) {
      await open(page, '/login');
      await page.getByLabel('Email').fill('stranger@people.example');
      await button(page, 'Send magic link').click();
      await read(page, /Access denied/);
    },
  },
  {
    name: 'login-sent',
    as: 'stranger',
    async reach(page) {
      await open(page, '/login');
      await page.getByLabel('Email').fill('newcomer@people.example');
      await button(page, 'Send magic link').click();
      await read(page, 'Check your email');
    },
  },
  {
    name: 'login-other-browser',
    as: 'stranger',
    async reach(page, { site }) {
      await page.evaluate('localStorage.clear()');
      await page.goto(linkOf(await site.mailTo('newcomer@people.example')));
      await read(page, 'another browser');
    },
  },
  { name: 'terms', as: 'stranger', reach: (page) => open(page, '/terms') },
  { name: 'privacy', as: 'stranger', reach: (page) => open(page, '/privacy') },
  { name: 'data-sources', as: 'stranger', reach: (page) => open(page, '/data-sources') },
];
