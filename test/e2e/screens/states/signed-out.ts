import type { Page } from 'playwright-core';
import { linkOf } from '#test/e2e/harness/site.ts';
import { read } from '#test/e2e/harness/steps.ts';
import { CONFIRMED_NUMBER, readerAt } from '#test/e2e/screens/people.ts';
import { button, open, type State } from './state.ts';

async function askForText(page: Page, number: string): Promise<void> {
  await open(page, '/login');
  await button(page, 'Sign in by text message instead').click();
  await page.getByLabel('Phone number').fill(number);
  await button(page, 'Text me a code').click();
}

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
      await page.getByLabel('Email').fill(readerAt(page));
      await button(page, 'Send magic link').click();
      await read(page, 'Check your email');
    },
  },
  {
    name: 'login-text-refused',
    as: 'stranger',
    async reach(page) {
      await askForText(page, '+1 217 555 0199');
      await read(page, 'This number cannot sign in');
    },
  },
  {
    name: 'login-text-code',
    as: 'stranger',
    async reach(page) {
      await askForText(page, CONFIRMED_NUMBER);
      await read(page, 'We texted a code');
    },
  },
  {
    name: 'login-other-browser',
    as: 'stranger',
    async reach(page, { site }) {
      await page.evaluate('localStorage.clear()');
      await page.goto(linkOf(await site.mailTo(readerAt(page))));
      await read(page, 'another browser');
    },
  },
  { name: 'terms', as: 'stranger', reach: (page) => open(page, '/terms') },
  { name: 'privacy', as: 'stranger', reach: (page) => open(page, '/privacy') },
  { name: 'data-sources', as: 'stranger', reach: (page) => open(page, '/data-sources') },
];
