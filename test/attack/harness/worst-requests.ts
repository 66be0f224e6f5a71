/** A request by its path and what it sends. */
export type Attack = { path: string; method?: string; body?: string; accept?: string };

/** The most that one request of someone can ask for, of all parts of the server. */
export function worstRequests(userId: string): readonly Attack[] {
  const rows = (count: number) => JSON.stringify(Array.from({ length: count }, () => ({ user_id: userId, name: 'x' })));
  const many = Array.from({ length: 90 }, (_, at) => `search_params->>x.like.*${at}*b*c*`).join(',');
  const again = Array.from({ length: 40 }, (_, at) => `a${at}:search_params`).join(',');
  const lists = '/rest/v1/lists';
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
