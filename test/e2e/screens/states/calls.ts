import type { Page } from 'playwright-core';
import { read, see } from '#test/e2e/harness/steps.ts';
import type { CallLists } from '#test/e2e/screens/call-lists.ts';
import type { People } from '#test/e2e/screens/people.ts';
import { button, open, type State } from './state.ts';

const openSheet = (page: Page, { calls }: People, list: Exclude<keyof CallLists, 'offline'>) =>
  open(page, `/lists/${calls[list]}/calls`);

/** Begins a call, unless one is under way from the picture before. */
async function callUnderWay(page: Page, people: People): Promise<void> {
  await openSheet(page, people, 'ready');
  const underWay = page.getByText('Call under way');
  await see(underWay.or(page.getByRole('button', { name: 'Begin Call' })));
  if (!(await underWay.isVisible())) await button(page, 'Begin Call').click();
  await see(underWay);
}

/** The call sheet. */
export const CALLS: readonly State[] = [
  {
    name: 'calls-ready',
    as: 'caller',
    async reach(page, { people }) {
      await openSheet(page, people, 'ready');
      await read(page, 'Earlier calls');
    },
  },
  { name: 'calls-under-way', as: 'caller', reach: (page, { people }) => callUnderWay(page, people) },
  {
    name: 'calls-call-back',
    as: 'caller',
    async reach(page, { people }) {
      await callUnderWay(page, people);
      await button(page, 'Call back').click();
      await read(page, /^There: /);
    },
  },
  {
    name: 'calls-do-not-call',
    as: 'caller',
    async reach(page, { people }) {
      await callUnderWay(page, people);
      await button(page, 'Do not call').click();
      await see(page.getByRole('alertdialog'));
    },
  },
  {
    name: 'calls-keys',
    as: 'caller',
    async reach(page, { people }) {
      await callUnderWay(page, people);
      await page.keyboard.press('?');
      await see(page.getByRole('dialog', { name: 'Keyboard shortcuts' }));
    },
  },
  { name: 'calls-practice', as: 'caller', reach: (page, { people }) => openSheet(page, people, 'practice') },
  { name: 'calls-waiting', as: 'caller', reach: (page, { people }) => openSheet(page, people, 'asleep') },
  { name: 'calls-done', as: 'caller', reach: (page, { people }) => openSheet(page, people, 'done') },
  { name: 'calls-unchecked', as: 'caller', reach: (page, { people }) => openSheet(page, people, 'unchecked') },
  {
    name: 'calls-unknown',
    as: 'caller',
    async reach(page) {
      await open(page, '/lists/none/calls');
      await read(page, 'List not found');
    },
  },
  {
    name: 'calls-offline',
    as: 'caller',
    async reach(page, { people: { calls } }) {
      await open(page, `/lists/${calls.offline.get(page.viewportSize()?.width ?? 0)}/calls`);
      await see(button(page, 'Reached'));
      await page.context().setOffline(true);
      try {
        await button(page, 'Reached').click();
        await read(page, '1 outcome not sent yet');
        await read(page, 'The next lead could not be loaded');
      } finally {
        await page.context().setOffline(false);
      }
    },
  },
];
