/** A request by its path and what it sends. */
export type Attack = { path: string; method?: string; body?: string; accept?: string };

/** The most that one request of someone can ask for, of all parts of the server. `longList`: their longest. */
export function worstRequests(userId: string, longList: string): readonly Attack[] {
  const rows = (count: number) => JSON.stringify(Array.from({ length: count }, () => ({ user_id: userId, name: 'x' })));
  const many = Array.from({ length: 90 }, (_, at) => `search_params->>x.like.*${at}*b*c*`).join(',');
  const again = Array.from({ length: 40 }, (_, at) => `a${at}:search_params`).join(',');
  const lists = '/rest/v1/lists';
  const leads = `/api/lists/${longList}`;
  const zigzag = Array.from({ length: 5_000 }, (_, at) => [-90 + at / 1_000, 40 + (at % 2) / 1_000]);
  const area = { kind: 'polygon', geometry: { type: 'Polygon', coordinates: [[...zigzag, [-88, 42], [-90, 40]]] } };
  return [
    { path: `${lists}?search_params->>x=match.^(a*)(a*)(a*)(a*)\\1\\2\\3\\4$` },
    { path: `${lists}?search_params->>x=imatch.(a*)*(a*)*b` },
    { path: `${lists}?or=(${many})` },
    { path: `${lists}?select=*,leads(*,lists(*,leads(*)))&order=search_params.desc` },
    { path: `${lists}?order=search_params->>x.desc&offset=100000` },
    { path: `${lists}?name=match.a{255}{255}` },
    { path: lists, method: 'POST', body: rows(9_000) },
    { path: lists, method: 'POST', body: rows(100) },
    { path: `${lists}?name=like.*a*a*b`, method: 'PATCH', body: '{"name":"y"}' },
    { path: '/rest/v1/leads?select=*,lists(*)&order=business_name,address,phone&offset=50000' },
    { path: `${lists}?select=*,${again}&order=search_params->>x.desc` },
    { path: `${lists}?select=${again}`, accept: 'text/csv' },
    { path: '/auth/v1/user' },
    { path: '/auth/v1/user', method: 'PUT', body: `{"data":{"x":"${'a'.repeat(500)}"}}` },
    { path: '/api/usage?from=2026-01-01&to=2026-12-31' },
    { path: '/storage/v1/object/list/exports', method: 'POST', body: '{"prefix":"","limit":1000}' },
    { path: '/functions/v1/keys' },
    { path: `${leads}/leads?q=zeppelin&sort=email.desc` },
    { path: `${leads}/leads?sort=name.asc&offset=99000` },
    { path: `${leads}/leads/counts`, method: 'POST', body: '{"matching":{"q":"zeppelin"}}' },
    { path: `${leads}/callability` },
    { path: `${leads}/export`, method: 'POST', body: '{"filter":"all","compliance":"all_leads"}' },
    { path: '/api/enrich/estimate', method: 'POST', body: JSON.stringify({ list_id: longList }) },
    { path: '/api/enrich/estimate', method: 'POST', body: JSON.stringify({ list_id: longList, steps: ['verifier'] }) },
    { path: '/api/compliance/estimate', method: 'POST', body: JSON.stringify({ list_id: longList }) },
    { path: '/api/suppressions?q=zeppelin' },
    { path: '/api/suppressions/import', method: 'POST', body: JSON.stringify({ csv: 'phone\n'.repeat(100_000) }) },
    { path: '/api/areas/outline', method: 'POST', body: JSON.stringify({ area }) },
    { path: '/api/account/export' },
  ];
}

/** Sends `count` of them, so many `at once`, of which every fourth hangs up. Returns the statuses that were answered. */
export async function attack(
  send: (attack: Attack, signal: AbortSignal) => Promise<Response>,
  attacks: readonly Attack[],
  { count, atOnce }: { count: number; atOnce: number },
): Promise<Set<number>> {
  const statuses = new Set<number>();
  let next = 0;
  const go = async () => {
    while (next < count) {
      const at = next++;
      const one = attacks[at % attacks.length];
      if (!one) return;
      try {
        const answer = await send(one, AbortSignal.timeout(at % 4 === 3 ? 30 : 60_000));
        statuses.add(answer.status);
        await answer.arrayBuffer();
      } catch {
        // Hung up.
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, go));
  return statuses;
}
