import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { freshDatabase } from '#test/databases/database.ts';
import { listen, type Notifications } from './notifications.ts';

let notifications: Notifications | undefined;
afterEach(() => notifications?.stop());

async function query(url: string, text: string, values: unknown[] = []) {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}
const notify = (url: string, channel: string, payload: string) =>
  query(url, 'select pg_notify($1, $2)', [channel, payload]);
const cut = (url: string) =>
  query(
    url,
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'fairlead notifications' and datname = current_database()",
  );

test('hands payloads to the handlers of their channel, until they leave', async () => {
  const url = await freshDatabase('empty');
  notifications = await listen(url, ['run_queued', 'run ended']);
  const queued: string[] = [];
  const ended: string[] = [];
  const leave = notifications.on('run_queued', (payload) => queued.push(payload));
  notifications.on('run ended', (payload) => ended.push(payload));
  await notify(url, 'run_queued', 'one');
  await notify(url, 'other', 'nobody');
  await notify(url, 'run ended', 'two');
  await expect.poll(() => [...queued, ...ended]).toEqual(['one', 'two']);
  leave();
  await notify(url, 'run_queued', 'unheard');
  await notify(url, 'run ended', 'three');
  await expect.poll(() => ended).toEqual(['two', 'three']);
  expect(queued).toEqual(['one']);
});

test('a handler that throws is reported and disturbs no one', async () => {
  const url = await freshDatabase('empty');
  const errors: unknown[] = [];
  notifications = await listen(url, ['c'], (error) => errors.push(error));
  const got: string[] = [];
  notifications.on('c', () => {
    throw new Error('broken handler');
  });
  notifications.on('c', (payload) => got.push(payload));
  await notify(url, 'c', 'one');
  await expect.poll(() => got).toEqual(['one']);
  expect(errors).toEqual([new Error('broken handler')]);
});

test('comes back by itself when the database ends the connection, and says so', async () => {
  const url = await freshDatabase('empty');
  notifications = await listen(url, ['c']);
  const got: string[] = [];
  let reconnects = 0;
  notifications.on('c', (payload) => got.push(payload));
  notifications.onReconnect(() => {
    reconnects += 1;
  });
  expect(notifications.connected).toBe(true);
  await cut(url);
  await expect.poll(() => notifications?.connected).toBe(false);
  await expect.poll(() => reconnects, { timeout: 5_000 }).toBe(1);
  expect(notifications.connected).toBe(true);
  await notify(url, 'c', 'after');
  await expect.poll(() => got).toEqual(['after']);
});

test('keeps trying while connections are refused, and no longer once it is stopped', async () => {
  const url = await freshDatabase('empty');
  const name = new URL(url).pathname.slice(1);
  const elsewhere = new URL(url);
  elsewhere.pathname = '/postgres';
  const errors: unknown[] = [];
  notifications = await listen(url, ['c'], (error) => errors.push(error));
  await query(elsewhere.href, `alter database ${name} allow_connections false`);
  await query(elsewhere.href, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
  await expect.poll(() => errors.length, { timeout: 5_000 }).toBeGreaterThanOrEqual(2);
  expect(notifications.connected).toBe(false);
  await query(elsewhere.href, `alter database ${name} allow_connections true`);
  await expect.poll(() => notifications?.connected, { timeout: 10_000 }).toBe(true);
  await notifications.stop();
  expect(notifications.connected).toBe(false);
  const left = await query(elsewhere.href, `select from pg_stat_activity where datname = '${name}'`);
  expect(left).toHaveLength(0);
});

test('rejects when the first connection fails, and refuses channels it does not listen on', async () => {
  const url = await freshDatabase('empty');
  await expect(listen(url.replace(/\/t_\w+$/, '/missing'), ['c'])).rejects.toThrow('does not exist');
  notifications = await listen(url, ['c']);
  expect(() => notifications?.on('d', () => {})).toThrow('Nothing listens on the channel d');
});
