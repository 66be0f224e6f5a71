import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startProduct } from '#test/product.ts';
import { forgetExpired } from './forget-expired.ts';

test('what a website told goes when its time is over, and turns an hour after they were free', async () => {
  const { db, workerDeps } = await startProduct();
  const visit = JSON.stringify({ status: 'nothing', emails: [], phones: [], profiles: [] });
  await sql`
    insert into app.website_answers (sandbox, domain, visit, visited_at, expires_at) values
      (false, 'over.example', ${visit}::jsonb, now() - interval '30 days', now() - interval '1 second'),
      (false, 'known.example', ${visit}::jsonb, now() - interval '29 days', now() + interval '1 day')
  `.execute(db);
  await sql`
    insert into app.website_turns (host, free_at) values
      ('real:over.example', now() - interval '61 minutes'), ('real:known.example', now() - interval '59 minutes')
  `.execute(db);
  await forgetExpired(workerDeps.db, new AbortController().signal);
  const answers = await db.selectFrom('app.website_answers').select('domain').execute();
  const turns = await db.selectFrom('app.website_turns').select('host').execute();
  expect({ answers, turns }).toEqual({
    answers: [{ domain: 'known.example' }],
    turns: [{ host: 'real:known.example' }],
  });
});
