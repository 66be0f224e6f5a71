import { setTimeout as wait } from 'node:timers/promises';
import { dayQuotaOf, type Fault, faultOf, isPatchy, type Turns } from './faults.ts';
import type { MeterWriter } from './meter.ts';
import type { Answer, SandboxProvider, SandboxReply, SandboxRequest, Simulation } from './wire.ts';

const slowMs = 3_000;
const htmlPage: SandboxReply = {
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: '<!DOCTYPE html><html><head><title>Just a moment</title></head><body><h1>Checking your browser</h1></body></html>',
};
const deniedRedirect: SandboxReply = {
  status: 302,
  headers: { location: 'https://www.searchbug.example/access-denied.aspx?TYPE=F1' },
  body: '',
};

/** What the sandbox remembers between calls. */
export type Memory = { meter: MeterWriter; turns: Turns };

/** Handles one request as the provider would, or with the fault that its key asks for, or else `chance`, and counts it. */
export async function play(
  provider: SandboxProvider,
  simulation: Simulation,
  request: SandboxRequest,
  { meter, turns }: Memory,
  chance?: Fault,
): Promise<SandboxReply> {
  const page = simulation.page?.(request);
  if (page) return page;
  const key = simulation.keyOf(request);
  if (key === undefined) return simulation.badKey(false);
  const hasCredit = !/-out-of-credit(-later)?$/.test(key);
  const spentMicros = meter.spentMicros(provider, key);
  const answer = await simulation.answer(request, { hasCredit, spentMicros });
  const { subject, free } = answer;
  const record = (units: number, micros: number) => {
    if (subject !== undefined) meter.record(provider, key, { subject, units, micros, once: answer.once });
  };
  const fault = faultOf(key, free) ?? (free ? undefined : chance);

  const unbilled = (reply: SandboxReply) => {
    record(0, 0);
    return reply;
  };
  const billed = (reply: SandboxReply) => {
    record(answer.units, answer.micros);
    return reply;
  };

  const quota = dayQuotaOf(key);
  if (quota !== undefined && turns.take(`${provider} ${key} today`) >= quota) return unbilled(simulation.outOfCredit());
  if (free && subject !== undefined && isPatchy(key, subject) && turns.take(`${provider} ${key} ${subject}`) === 0)
    return billed(malformed(provider, answer, 0));

  switch (fault) {
    case 'bad-key':
      return unbilled(simulation.badKey(true));
    case 'out-of-credit':
      return free ? billed(answer.reply) : unbilled(simulation.outOfCredit());
    case 'rate-limited': {
      const turn = turns.take(`${provider} ${key} ${subject}`);
      if (turn >= 2) return billed(answer.reply);
      const reply = simulation.rateLimited();
      // The first refusal says how long to wait, the second does not: callers must cope with both.
      return unbilled(turn === 0 ? { ...reply, headers: { ...reply.headers, 'retry-after': '1' } } : reply);
    }
    case 'down':
      if (turns.take(`${provider} ${key}`) % 2 === 0) return unbilled(simulation.down());
      return billed({ status: 200, body: '', cut: true });
    case 'malformed':
      return billed(malformed(provider, answer, turns.take(`${provider} ${key}`)));
    case 'slow':
      await wait(slowMs);
      return billed(answer.reply);
    default:
      return billed(answer.reply);
  }
}

/** In turn: JSON that ends in the middle, a web page, and from SearchBug a redirect to one. */
function malformed(provider: SandboxProvider, { reply }: Answer, turn: number): SandboxReply {
  const json = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body);
  const half = json.slice(0, Math.max(1, Math.floor(json.length / 2)));
  const truncated = { ...reply, headers: { ...reply.headers, 'content-type': 'application/json' }, body: half };
  const shapes = provider === 'searchbug' ? [truncated, htmlPage, deniedRedirect] : [truncated, htmlPage];
  return shapes[turn % shapes.length] ?? truncated;
}
