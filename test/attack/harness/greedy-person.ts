import { beforeAll } from 'vitest';
import { type Account, signIn } from './people.ts';
import { PUBLISHABLE_KEY, type Site, startSite } from './site.ts';

/** A site where Mallory, who has hundreds of long lists, asks for too much, and Alice does not. Called once in a test file. */
export function setUpGreedyPerson() {
  let site: Site;
  let mallory: Account;
  let alice: Account;

  beforeAll(async () => {
    site = await startSite();
    for (const email of ['mallory@people.example', 'alice@people.example']) await site.invite(email);
    mallory = await signIn(site, 'mallory@people.example');
    alice = await signIn(site, 'alice@people.example');
    const text = JSON.stringify({ x: 'a'.repeat(3_000) });
    await site.owner
      .insertInto('lists')
      .values(
        Array.from({ length: 300 }, () => ({ user_id: mallory.userId, name: 'a'.repeat(250), search_params: text })),
      )
      .execute();
  });

  return {
    get site() {
      return site;
    },
    get mallory() {
      return mallory;
    },
    get alice() {
      return alice;
    },
    send: (account: Account, path: string, init: RequestInit = {}) =>
      fetch(`${site.url}${path}`, {
        ...init,
        headers: {
          apikey: PUBLISHABLE_KEY,
          authorization: `Bearer ${account.accessToken}`,
          'content-type': 'application/json',
          ...init.headers,
        },
      }),
  };
}
