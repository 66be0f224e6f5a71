import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '#test/databases/database.ts';
import { type DataApi, type Person, startDataApi } from './testing/harness.ts';

let api: DataApi;
let ann: Person;

beforeAll(async () => {
  api = await startDataApi(await freshDatabase());
  ann = await api.person('ann');
  await api.list(ann, { name: 'Bakers', search_params: '{"location":"Salem","radius":5,"tags":["a","b"]}' });
  await api.list(ann, { name: 'Roofers, (all)', lead_count: 7, resolved_place: 'Salem, MA' });
  await api.list(ann, { name: 'Plumbers', lead_count: 3, tier1_complete: true, search_params: '{"radius":50}' });
  await api.pool.query(`
    create table public.days (id integer primary key, tags text[] not null, open int4range not null);
    grant select on public.days to authenticated;
    insert into public.days values (1, '{a,b}', '[1,5)'), (2, '{b,c}', '[5,9)'), (3, '{}', '[20,30)');
    notify pgrst`);
});
afterAll(() => api.stop());

const lists = () => ann.client.from('lists').select('name').order('name');
const place = (words: string, type: 'phrase' | 'websearch') =>
  lists().textSearch('resolved_place', words, { type, config: 'simple' });
const days = () => ann.client.from('days').select('id').order('id');
async function found(query: PromiseLike<{ data: Record<string, unknown>[] | null; error: unknown }>) {
  const { data, error } = await query;
  expect(error).toBeNull();
  return data?.flatMap((row) => Object.values(row));
}

describe('operators', () => {
  it.each([
    ['not', () => lists().not('name', 'eq', 'Bakers'), ['Plumbers', 'Roofers, (all)']],
    ['not is', () => lists().not('resolved_place', 'is', null), ['Roofers, (all)']],
    ['not in', () => lists().not('name', 'in', '("Roofers, (all)",Bakers)'), ['Plumbers']],
    ['notIn', () => lists().notIn('name', ['Roofers, (all)', 'Bakers']), ['Plumbers']],
    ['isDistinct', () => lists().isDistinct('resolved_place', 'Salem, MA'), ['Bakers', 'Plumbers']],
    ['regexMatch', () => lists().regexMatch('name', '^[BP].*s$'), ['Bakers', 'Plumbers']],
    ['regexIMatch', () => lists().regexIMatch('name', '^bAK'), ['Bakers']],
    ['likeAllOf', () => lists().likeAllOf('name', ['B%', '%s']), ['Bakers']],
    ['likeAnyOf', () => lists().likeAnyOf('name', ['B%', 'P%']), ['Bakers', 'Plumbers']],
    ['ilikeAllOf', () => lists().ilikeAllOf('name', ['b%', '%S']), ['Bakers']],
    ['ilikeAnyOf', () => lists().ilikeAnyOf('name', ['b*', 'p*']), ['Bakers', 'Plumbers']],
    ['eq of any', () => lists().filter('lead_count', 'eq(any)', '{3,7}'), ['Plumbers', 'Roofers, (all)']],
    ['contains JSON', () => lists().contains('search_params', { radius: 5 }), ['Bakers']],
    ['containedBy JSON', () => lists().containedBy('search_params', { radius: 50 }), ['Plumbers', 'Roofers, (all)']],
    ['textSearch', () => lists().textSearch('name', 'bakers | plumbers'), ['Bakers', 'Plumbers']],
    ['plain', () => lists().textSearch('name', 'baker', { type: 'plain', config: 'english' }), ['Bakers']],
    ['phrase', () => place('salem ma', 'phrase'), ['Roofers, (all)']],
    ['phrase in another order', () => place('ma salem', 'phrase'), []],
    ['websearch', () => place('salem or boston', 'websearch'), ['Roofers, (all)']],
    ['websearch without', () => place('salem -ma', 'websearch'), []],
    ['JSON path', () => lists().eq('search_params->>location', 'Salem'), ['Bakers']],
    ['JSON path to a number', () => lists().gt('search_params->radius', 5), ['Plumbers']],
    ['JSON path by index', () => lists().eq('search_params->tags->>-1', 'b'), ['Bakers']],
  ])('%s', async (_, query, expected) => {
    expect(await found(query())).toEqual(expected);
  });

  it.each([
    ['contains', () => days().contains('tags', ['a']), [1]],
    ['containedBy', () => days().containedBy('tags', ['b', 'c']), [2, 3]],
    ['overlaps', () => days().overlaps('tags', ['a', 'c']), [1, 2]],
    ['a range overlaps', () => days().overlaps('open', '[4,6)'), [1, 2]],
    ['rangeGt', () => days().rangeGt('open', '[1,5)'), [2, 3]],
    ['rangeGte', () => days().rangeGte('open', '[5,6)'), [2, 3]],
    ['rangeLt', () => days().rangeLt('open', '[5,9)'), [1]],
    ['rangeLte', () => days().rangeLte('open', '[5,9)'), [1, 2]],
    ['rangeAdjacent', () => days().rangeAdjacent('open', '[9,20)'), [2, 3]],
  ])('of arrays and ranges: %s', async (_, query, expected) => {
    expect(await found(query())).toEqual(expected);
  });
});

describe('or and and', () => {
  it.each([
    ['or', () => lists().or('name.eq.Bakers,lead_count.gt.5'), ['Bakers', 'Roofers, (all)']],
    ['and in or', () => lists().or('name.eq.Bakers, and(lead_count.gt.1, lead_count.lt.5)'), ['Bakers', 'Plumbers']],
    ['not in or', () => lists().or('not.and(lead_count.gt.1,lead_count.lt.5)'), ['Bakers', 'Roofers, (all)']],
    ['a negated filter', () => lists().or('name.not.like.*ers,tier1_complete.is.true'), ['Plumbers', 'Roofers, (all)']],
    ['reserved characters', () => lists().or('name.eq."Roofers, (all)",name.eq.x'), ['Roofers, (all)']],
    ['in lists', () => lists().or('name.in.("Roofers, (all)",x),lead_count.in.(3)'), ['Plumbers', 'Roofers, (all)']],
    ['JSON', () => lists().or('search_params.cs.{"radius":5},search_params->>radius.eq.50'), ['Bakers', 'Plumbers']],
    ['not.and', () => lists().filter('not.and', 'x', '').eq('name', 'x'), undefined],
  ])('%s', async (_, query, expected) => {
    if (expected) expect(await found(query())).toEqual(expected);
    else expect((await query()).error?.code).toBe('PGRST100');
  });

  it('as parameters, also negated', async () => {
    const asked = async (query: string) => {
      const answer = await api.raw(`lists?select=name&order=name&${query}`, { token: ann.token });
      const data = (await answer.json()) as Record<string, unknown>[];
      return data.flatMap((row) => Object.values(row));
    };
    expect(await asked('not.or=(name.eq.Bakers,name.eq.Plumbers)')).toEqual(['Roofers, (all)']);
    expect(await asked('and=(lead_count.gte.3,or(name.eq.Plumbers,name.eq.Bakers))')).toEqual(['Plumbers']);
  });

  it.each([
    'or=name.eq.a',
    'or=()',
    'or=(name.eq.a',
    'or=(name.eq.a,)',
    'or=(name.eq.a)b',
    'or=(name.resembles.a)',
    'or=(name)',
    `or=${'(and'.repeat(20)}(name.eq.a)${')'.repeat(20)}`,
    `or=(${'and('.repeat(9)}name.eq.a${')'.repeat(9)})`,
    `or=(${Array(101).fill('name.eq.a').join(',')})`,
    `name=match.${'a'.repeat(201)}`,
    'name=neq(any).{a}',
    'name=eq(some).{a}',
    'search_params->=eq.1',
    'search_params->>a.b=eq.1',
  ])('refuses what it cannot read or is too much: %#', async (query) => {
    const answer = await api.raw(`lists?${query}`, { token: ann.token });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: expect.stringMatching(/^PGRST10[08]$/) });
  });

  it('passes on what PostgreSQL says of types', async () => {
    expect(await lists().contains('name', ['a'])).toMatchObject({ status: 404, error: { code: '42883' } });
    expect(await lists().likeAnyOf('name', ['{'])).toMatchObject({ status: 400, error: { code: '22P02' } });
    expect(await lists().regexMatch('name', '(')).toMatchObject({ status: 400, error: { code: '2201B' } });
    expect(await lists().textSearch('name', 'a b')).toMatchObject({ status: 400, error: { code: '42601' } });
    expect(await lists().textSearch('name', 'a', { config: 'klingon' })).toMatchObject({ error: { code: '42704' } });
  });
});
