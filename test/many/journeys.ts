import type { SupabaseClient } from '@supabase/supabase-js';
import { expect } from 'vitest';
import type { Cluster } from './cluster.ts';
import type { Traffic } from './traffic.ts';

/** Writes lists through the data API, renames them and deletes every other one. Returns the names by id that must remain. */
export function writeLists(traffic: Traffic, client: SupabaseClient, userId: string): Map<string, string> {
  const remain = new Map<string, string>();
  traffic.repeat(60, async (turn) => {
    const lists = () => client.from('lists');
    const { data: made } = await lists()
      .insert({ user_id: userId, name: `Made ${turn}` })
      .select('id');
    const [{ id } = { id: '' }] = made ?? [];
    const name = `Renamed ${turn}`;
    expect((await lists().update({ name }).eq('id', id).select('name')).data).toEqual([{ name }]);
    if (turn % 2 === 0) remain.set(id, name);
    else expect((await lists().delete().eq('id', id).select('name')).data).toEqual([{ name }]);
  });
  return remain;
}

/** Renews a session all the time. Returns how often it has done so. */
export function refreshAll(traffic: Traffic, client: SupabaseClient): () => number {
  let refreshed = 0;
  traffic.repeat(60, async () => {
    const before = (await client.auth.getSession()).data.session?.refresh_token;
    const { data, error } = await client.auth.refreshSession();
    expect(error).toBeNull();
    expect(data.session?.refresh_token).not.toBe(before);
    refreshed += 1;
  });
  return () => refreshed;
}

/**
 * Asks for a link and opens it, each time as the next of the invited, from a network of their own. Returns the addresses of those who
 * were let in.
 */
export function signInByLink(traffic: Traffic, { balancer, mails }: Cluster, key: string, invited: readonly string[]) {
  const signedIn: string[] = [];
  const auth = `${balancer.url}/auth/v1`;
  traffic.repeat(100, async (turn) => {
    const email = invited[turn];
    if (email === undefined) return;
    const headers = { apikey: key, 'content-type': 'application/json', 'x-forwarded-for': `198.51.100.${turn + 1}` };
    await traffic.fetch(`${auth}/otp`, { method: 'POST', headers, body: JSON.stringify({ email }) });
    const got = (await mails()).filter(({ to }) => to === email);
    expect(got).toHaveLength(1);
    const opened = await traffic.fetch(got[0]?.links[0] ?? '', { redirect: 'manual', headers });
    const fragment = new URLSearchParams(new URL(opened.headers.get('location') ?? '').hash.slice(1));
    const authorization = `Bearer ${fragment.get('access_token')}`;
    const user = await traffic.fetch(`${auth}/user`, { headers: { ...headers, authorization } });
    signedIn.push(((await user.json()) as { email: string }).email);
  });
  return signedIn;
}

/** Stores a file that takes a second to be sent, and fetches it again. Returns the names of what was stored. */
export function storeFiles(traffic: Traffic, client: SupabaseClient, folder: string): string[] {
  const stored: string[] = [];
  traffic.repeat(50, async (turn) => {
    const name = `${folder}/${turn}.csv`;
    const rows = Array.from({ length: 10 }, (_, row) => `${turn},${row}\n`);
    const options = { contentType: 'text/csv', duplex: 'half' };
    const files = client.storage.from('exports');
    expect((await files.upload(name, slowly(rows), options)).error).toBeNull();
    const { data } = await files.download(name);
    expect(await data?.text()).toBe(rows.join(''));
    stored.push(name);
  });
  return stored;
}

/** Copies a list by the function of that name. Returns how often. */
export function copyList(traffic: Traffic, client: SupabaseClient, listId: string): () => number {
  let copies = 0;
  // Fewer than one person may write in a minute.
  traffic.repeat(220, async () => {
    const { data } = await client.functions.invoke('lists-duplicate', { body: { list_id: listId } });
    expect(data).toMatchObject({ success: true });
    copies += 1;
  });
  return () => copies;
}

function slowly(parts: readonly string[]): ReadableStream<Uint8Array> {
  const rest = [...parts];
  return new ReadableStream({
    pull: (controller) =>
      new Promise((resolve) => {
        setTimeout(() => {
          const part = rest.shift();
          if (part === undefined) controller.close();
          else controller.enqueue(new TextEncoder().encode(part));
          resolve();
        }, 100);
      }),
  });
}
