import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { enrichEmailsEndpoint } from '#contract/work/enrichment.ts';
import { buildListOf, readCalls, readLeads } from '#test/lists.ts';
import { type Product, startProduct } from '#test/product.ts';

const KEY = 'sandbox-together';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});

test('an answer that cannot be stored is booked, keeps no other from being stored, and is not bought again', async () => {
  const { db } = product;
  const user = await product.user();
  await user.connect('hunter_io', KEY);
  const names = Array.from({ length: 20 }, (_, index) => (index % 5 === 4 ? `cursed${index}` : `blessed${index}`));
  const listId = await buildListOf(
    db,
    user.id,
    names.map((name) => ({ website: `https://${name}.example/` })),
  );
  await sql`
    create function public.refuse_the_cursed() returns trigger language plpgsql as
    $$begin if new.website like '%cursed%' then raise exception 'cursed'; end if; return new; end$$`.execute(db);
  await sql`create trigger refuse_the_cursed before update on public.leads for each row execute function public.refuse_the_cursed()`.execute(
    db,
  );
  await expect(user.call(enrichEmailsEndpoint, { list_id: listId, steps: ['hunter'] })).rejects.toThrow();
  const calls = await readCalls(db, user.id);
  const answered = new Set(calls.filter(({ state }) => state === 'answered').map(({ subject }) => subject));
  expect(calls.filter(({ state }) => state === 'sent' || state === 'uncertain')).toEqual([]);
  expect([...answered].some((subject) => subject.startsWith('cursed'))).toBe(true);
  const { rows: found } = await sql<{ subject: string }>`
    select subject from app.answers where user_id = ${user.id} and answer -> 'contacts' <> '[]'`.execute(db);
  const hasEmail = async () => {
    const leads = (await readLeads(db, listId)).filter(({ email }) => email);
    return leads.map(({ website }) => new URL(website ?? '').hostname).sort();
  };
  const subjects = found.map(({ subject }) => subject).sort();
  expect(await hasEmail()).toEqual(subjects.filter((subject) => subject.startsWith('blessed')));
  expect((await hasEmail()).length).toBeGreaterThan(1);

  await sql`drop function public.refuse_the_cursed cascade`.execute(db);
  await user.call(enrichEmailsEndpoint, { list_id: listId, steps: ['hunter'] });
  expect(await hasEmail()).toEqual(expect.arrayContaining(subjects));
  const asked = [...product.sandbox.meter.callsBySubject('hunter', KEY).values()];
  expect(asked).toEqual(Array(names.length).fill(1));
});
