import { expect } from 'vitest';
import { prices } from '#providers/prices.ts';
import { askedBy, bookedFor, type Call, callsOf, chargedTo, pagesAskedBy, settle } from './ledger.ts';
import type { Person, Site } from './site.ts';

// What became of someone's calls to a provider, once nothing is open. Each fails when a rule was broken, and settles what was lost.

const isKept = ({ state }: Call) => state === 'answered' || state === 'uncertain';
const isLost = ({ state }: Call) => state === 'uncertain';

/** Hunter charges a domain once: every one is answered, whatever was lost on the way, and booked once. */
export async function hunterIsRight(site: Site, person: Person, domains: number): Promise<void> {
  const calls = await callsOf(site.db, person, 'hunter_io');
  const answered = calls.filter((call) => call.state === 'answered');
  expect(new Set(answered.map((call) => call.subject)).size).toBe(domains);
  expect(answered).toHaveLength(domains);
  const charged = chargedTo(site, person, 'hunter_io');
  expect(await bookedFor(site.db, person, 'hunter_io')).toEqual({ sums: charged, rows: charged });
}

/** SearchBug charges a number every time: each was asked about once at most, and is answered, or lost and booked. Returns how many were lost. */
export async function searchbugIsRight(site: Site, person: Person, numbers: number): Promise<number> {
  const asked = askedBy(site, person, 'searchbug');
  expect([...asked].filter(([, times]) => times > 1)).toEqual([]);
  const kept = (await callsOf(site.db, person, 'searchbug')).filter(isKept);
  expect(new Set(kept.map((call) => call.subject)).size).toBe(numbers);
  expect(kept).toHaveLength(numbers);
  expect(kept.filter((call) => call.cost_micros !== prices.searchbugNumberMicros)).toEqual([]);
  const lost = kept.filter(isLost);
  const notCharged = lost.filter((call) => !asked.has(call.subject)).length;
  const booked = chargedTo(site, person, 'searchbug') + notCharged * prices.searchbugNumberMicros;
  expect(await bookedFor(site.db, person, 'searchbug')).toEqual({ sums: booked, rows: booked });
  await settle(site, person, 'searchbug', lost, (call) => asked.has(call.subject));
  return lost.length;
}

/**
 * Google charges a page every time: a run pays for each once at most, and another one only while the answer is lost, which
 * stays booked. Returns how many were lost.
 */
export async function googleIsRight(site: Site, person: Person): Promise<number> {
  const kept = (await callsOf(site.db, person, 'google_places')).filter(isKept);
  for (const calls of Map.groupBy(kept, (call) => call.subject).values()) {
    expect(new Set(calls.map((call) => call.run_id)).size).toBe(calls.length);
    const inTurn = calls.toSorted((a, b) => Number(a.sent_at) - Number(b.sent_at));
    const boughtWhileKnown = inTurn.filter((call, index) => {
      const next = inTurn[index + 1];
      return next && !isLost(call) && Number(call.settled_at) < Number(next.sent_at);
    });
    expect(boughtWhileKnown).toEqual([]);
  }

  const asked = pagesAskedBy(site, person);
  const charged = new Set<Call>();
  let booked = chargedTo(site, person, 'google_places');
  for (const [page, calls] of Map.groupBy(kept, (call) => pageOf(call.subject))) {
    const lost = calls.filter(isLost);
    const chargedOfLost = (asked.get(page) ?? 0) - (calls.length - lost.length);
    expect(chargedOfLost).toBeGreaterThanOrEqual(0);
    expect(chargedOfLost).toBeLessThanOrEqual(lost.length);
    for (const [index, call] of lost.entries())
      if (index < chargedOfLost) charged.add(call);
      else booked += call.cost_micros;
    asked.delete(page);
  }
  expect([...asked]).toEqual([]);
  expect(await bookedFor(site.db, person, 'google_places')).toEqual({ sums: booked, rows: booked });
  const lost = kept.filter(isLost);
  await settle(site, person, 'google_places', lost, (call) => charged.has(call));
  return lost.length;
}

/** What the ledger calls a page of a search, without its circle; a location is a page of its own. */
const pageOf = (subject: string): string => subject.replace(/ within .* m of .*, page /, ', page ');
