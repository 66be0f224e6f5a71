import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { ACCOUNT_EXPORT_PATH } from '#contract/account/account.ts';
import { enrichEmailsEndpoint } from '#contract/work/enrichment.ts';
import { buildListOf } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});

type Exported = Record<string, Record<string, unknown>[]> & { account: Record<string, unknown> };
const exportOf = async (user: TestUser) => JSON.parse(await (await user.get(ACCOUNT_EXPORT_PATH)).text()) as Exported;

test('everything of the person, nothing of others, and no secret', async () => {
  const [ann, ben] = [await product.user('ann'), await product.user('ben')];
  const secret = 'sandbox-planted-secret-9Zq7';
  await ann.connect('hunter_io', secret);
  const leads = Array.from({ length: 4 }, (_, index) => ({ website: `https://export${index}.example/` }));
  const listId = await buildListOf(product.db, ann.id, leads, { name: 'Ann’s “list”' });
  await ann.call(enrichEmailsEndpoint, { list_id: listId, steps: ['hunter'] });
  await buildListOf(product.db, ben.id, [{ business_name: 'Ben’s business' }]);
  const invitation = { email: 'guest@people.example', expires_at: new Date() };
  await product.db
    .insertInto('app.invitations')
    .values([
      { ...invitation, invited_by: ann.id },
      { ...invitation, email: 'strange@people.example', invited_by: ben.id },
    ])
    .execute();
  const identity = (email: string) => ({
    provider: 'google',
    provider_id: email,
    identity_data: JSON.stringify({ email }),
  });
  await product.db
    .insertInto('auth.identities')
    .values([
      { user_id: ann.id, ...identity('ann@elsewhere.example') },
      { user_id: ben.id, ...identity('ben@elsewhere.example') },
    ])
    .execute();
  await product.db.updateTable('auth.users').set({ phone: '12175550100' }).where('id', '=', ann.id).execute();
  await product.db.insertInto('app.audit_log').values({ actor_id: ann.id, action: 'thing.done' }).execute();

  for (const { id } of [ann, ben])
    await sql`insert into storage.objects (bucket_id, name, version, metadata)
      values ('exports', ${`${id}/${listId}/kept.csv`}, 'none', '{"size": 5}')`.execute(product.db);

  await sql`insert into app.carried_sessions (id, user_id, token_hash, ip, created_at, last_used_at, ends_at)
    values (gen_random_uuid(), ${ann.id}, 'hash', '203.0.113.7', now(), now(), now())`.execute(product.db);

  const response = await ann.get(ACCOUNT_EXPORT_PATH);
  const day = new Date().toISOString().slice(0, 10);
  expect(response.headers.get('content-disposition')).toBe(`attachment; filename="fairlead-data-${day}.json"`);
  expect(response.headers.get('content-type')).toBe('application/json');
  const text = await response.text();
  const data = JSON.parse(text) as Exported;
  expect(data.account).toMatchObject({ email: ann.email, role: 'user' });
  expect(data.providerKeys).toMatchObject([{ provider: 'hunter_io', maskedKey: '••••9Zq7' }]);
  expect(data.sessions).toHaveLength(1);
  expect(data.carriedSessions).toMatchObject([{ ip: '203.0.113.7' }]);
  expect(text).not.toContain('token_hash');
  expect(data.identities).toMatchObject([{ provider: 'google', identity_data: { email: 'ann@elsewhere.example' } }]);
  expect(data.phoneNumbers).toMatchObject([{ phone: '12175550100' }]);
  expect(data.invitationsSent).toMatchObject([{ email: 'guest@people.example' }]);
  expect(data.runs).toMatchObject([{ kind: 'enrichment', state: 'completed', list_id: listId }]);
  expect(data.paidCalls).toHaveLength(4);
  expect(data.rememberedAnswers).toHaveLength(4);
  expect(data.exports).toMatchObject([{ name: `${ann.id}/${listId}/kept.csv`, size: 5 }]);
  expect(data.auditLog).toMatchObject([
    { action: 'key.saved' },
    { action: 'thing.done' },
    { action: 'account.exported' },
  ]);
  expect(data.lists).toMatchObject([{ id: listId, name: 'Ann’s “list”', leads }]);

  const { sealed_key, fingerprint } = await product.db
    .selectFrom('app.provider_keys')
    .select(['sealed_key', 'fingerprint'])
    .where('user_id', '=', ann.id)
    .executeTakeFirstOrThrow();
  for (const hidden of [secret, sealed_key, fingerprint, 'sealed', ben.id, 'Ben’s', 'strange@', 'lease_owner'])
    expect(text).not.toContain(hidden);
});

test('someone who has nothing gets a whole file too', async () => {
  const nobody = await product.user('nobody');
  expect(await exportOf(nobody)).toMatchObject({
    lists: [],
    runs: [],
    providerKeys: [],
    account: { email: nobody.email },
  });
});

test('more rows than are read at a time come once each, in order', async () => {
  const ann = await product.user('ann');
  const leads = Array.from({ length: 1_203 }, (_, index) => ({ business_name: `Business ${index}` }));
  await buildListOf(product.db, ann.id, leads);
  const moment = new Date();
  await product.db
    .insertInto('app.runs')
    .values(
      Array.from({ length: 1_000 }, (_, index) => ({
        user_id: ann.id,
        list_name: `run ${index}`,
        kind: 'search',
        input: '{}',
        sandbox: true,
        state: 'completed',
        created_at: moment,
      })),
    )
    .execute();
  const { lists, runs } = await exportOf(ann);
  const exported = lists?.[0]?.leads as { business_name: string }[];
  expect(exported.map((lead) => lead.business_name)).toEqual(leads.map((lead) => lead.business_name));
  expect(new Set(runs?.map((run) => run.id)).size).toBe(1_000);
  expect(runs).toHaveLength(1_000);
});

test('no one who is not signed in gets anything', async () => {
  const gone = product.as({ id: (await product.user()).id, email: 'x@people.example' });
  await gone.get(ACCOUNT_EXPORT_PATH);
  await product.db.deleteFrom('auth.sessions').where('user_id', '=', gone.id).execute();
  const response = await gone.get(ACCOUNT_EXPORT_PATH);
  expect(response.status).toBe(401);
  expect(await response.json()).toMatchObject({ success: false, error: 'UNAUTHENTICATED' });
});

test('a failure half way breaks off instead of ending the file', async () => {
  const ann = await product.user('ann');
  const response = await ann.get(ACCOUNT_EXPORT_PATH);
  await product.db.schema.alterTable('app.audit_log').renameTo('audit_log_away').execute();
  try {
    await expect(response.text()).rejects.toThrow();
  } finally {
    await product.db.schema.withSchema('app').alterTable('audit_log_away').renameTo('audit_log').execute();
  }
  expect(product.log.some((line) => line.includes('a download was interrupted'))).toBe(true);
});

test('surveys come with their rectangles and the places that they saw', async () => {
  const [ann, ben] = [await product.user('ann'), await product.user('ben')];
  for (const { id } of [ann, ben]) {
    const survey = await product.db
      .insertInto('app.surveys')
      .values({
        user_id: id,
        sandbox: true,
        subject: 'a',
        label: 'Cook County, IL',
        area: '{}',
        frames: '[]',
        queries: ['dentist'],
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const tile = { survey_id: survey.id, query: 0, state: 'complete', ids: [`place of ${id}`], pages: 1 };
    await product.db
      .insertInto('app.survey_tiles')
      .values(Array.from({ length: 700 }, (_, at) => ({ ...tile, south: at, north: at + 1, west: -5, east: 5 })))
      .execute();
    await product.db
      .insertInto('app.survey_places')
      .values({ survey_id: survey.id, place_id: `place of ${id}` })
      .execute();
  }
  const data = await exportOf(ann);
  expect(data.surveys).toMatchObject([{ label: 'Cook County, IL', queries: ['dentist'] }]);
  expect(data.surveyTiles).toHaveLength(700);
  expect(data.surveyPlaces).toMatchObject([{ place_id: `place of ${ann.id}` }]);
  expect(JSON.stringify(data)).not.toContain(ben.id);
});
