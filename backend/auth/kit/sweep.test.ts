import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAuth } from '#backend/auth/testing/harness.ts';
import { freshDatabase } from '#test/databases/database.ts';
import { sweepAuth } from './sweep.ts';

let auth: Awaited<ReturnType<typeof startAuth>>;
beforeAll(async () => {
  auth = await startAuth(await freshDatabase());
});
afterAll(() => auth.close());

test('takes what is useless, and leaves everything else', async () => {
  const { session } = await auth.signIn('stays@harbour.example');
  await auth.client().auth.signInWithOtp({ email: 'asked-just-now@harbour.example' });
  await auth.client().auth.signInWithOtp({ email: 'asked-long-ago@harbour.example' });
  const old = sql`select id from auth.users where email = 'asked-long-ago@harbour.example'`;
  await sql`update auth.one_time_tokens set expires_at = now() - interval '8 days' where user_id in (${old})`.execute(
    auth.db,
  );
  await sql`update auth.flow_state set created_at = now() - interval '8 days' where user_id in (${old})`.execute(
    auth.db,
  );
  await sql`update auth.users set created_at = now() - interval '8 days' where email <> 'asked-just-now@harbour.example'`.execute(
    auth.db,
  );
  await sql`insert into app.rate_limits (bucket, window_start) values ('old', now() - interval '3 days')`.execute(
    auth.db,
  );

  const { data: next } = await auth.client().auth.refreshSession(session);
  await sql`update auth.refresh_tokens set created_at = now() - interval '31 days', used_at = used_at - interval '31 days'`.execute(
    auth.db,
  );

  await sweepAuth(auth.db);

  const { rows } = await sql<{ email: string; mails: number; flows: number }>`
    select email, (select count(*)::integer from auth.one_time_tokens where user_id = u.id) as mails,
      (select count(*)::integer from auth.flow_state where user_id = u.id) as flows
    from auth.users u order by email`.execute(auth.db);
  expect(rows).toEqual([
    { email: 'asked-just-now@harbour.example', mails: 1, flows: 1 },
    { email: 'stays@harbour.example', mails: 0, flows: 0 },
  ]);
  const buckets = await auth.db.selectFrom('app.rate_limits').select('bucket').execute();
  expect(buckets.length).toBeGreaterThan(0);
  expect(buckets.map((row) => row.bucket)).not.toContain('old');
  const tokens = await auth.db.selectFrom('auth.refresh_tokens').select(['used_at', 'parent_id']).execute();
  expect(tokens).toEqual([{ used_at: null, parent_id: expect.any(String) }]);
  expect((await auth.client().auth.refreshSession(next.session ?? session)).error).toBeNull();
  const user = await auth.client().auth.getUser(session.access_token);
  expect(user.data.user?.email).toBe('stays@harbour.example');
});
