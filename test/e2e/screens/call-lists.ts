import { randomUUID } from 'node:crypto';
import type { Db } from '#db/connection/client.ts';
import { setCallClock, tuesdayAt } from '#test/call-clock.ts';
import { buildListOf, readLeads } from '#test/lists.ts';
import { WIDTHS } from './widths.ts';

/**
 * Lists to call, each in another state of a call sheet.
 * - `offline`: by the width (px) of the window, because an outcome uses one up.
 */
export type CallLists = Record<'ready' | 'practice' | 'asleep' | 'done' | 'unchecked', string> & {
  offline: ReadonlyMap<number, string>;
};

const HOUR_MS = 3_600_000;

/** Makes lists of someone, on a Tuesday at 11 in Illinois, which is 7 in Hawaii. */
export async function buildCallLists(db: Db, userId: string): Promise<CallLists> {
  const morning = tuesdayAt(17);
  await setCallClock(db, morning);
  const lead = (index: number, more = {}) => ({
    business_name: `Calderstone Family Dentistry ${index}`,
    phone: `+1 217-555-01${String(index).padStart(2, '0')}`,
    address: `${index} Elm Street, Springfield, IL 62701, USA`,
    website: `https://calderstone-${index}.example`,
    owner_name: 'Olive Abbersley-Harrington',
    owner_title: 'Practice owner',
    compliance_status: 'safe',
    compliance_checked_at: new Date(morning.getTime() - 24 * HOUR_MS),
    phone_type: 'landline',
    ...more,
  });
  const build = (name: string, leads: ReturnType<typeof lead>[], sandbox = false) =>
    buildListOf(db, userId, leads, { name, sandbox, tier2_complete: true, compliance_checked: true });
  const honolulu = { address: '1 Invented Street, Honolulu, HI 96813, USA' };
  const offline = new Map<number, string>();
  for (const [index, { width }] of WIDTHS.entries())
    offline.set(width, await build('Dentists to practice on offline', [lead(60 + index)], true));
  const lists = {
    offline,
    ready: await build('Dentists to call', [lead(10), lead(11), lead(12)]),
    practice: await build('Dentists to practice on', [lead(20), lead(21)], true),
    asleep: await build('Dentists in Hawaii', [lead(30, { ...honolulu, phone: '+1 808-555-0130' })]),
    done: await build('Dentists called', [lead(40)]),
    unchecked: await build('Dentists to check', [lead(50, { compliance_status: 'not_checked' })]),
  };
  const call = async (listId: string, hoursAgo: number, outcome: string, more = {}) => {
    const [called] = await readLeads(db, listId);
    if (!called?.phone) throw new Error('There is no lead to call.');
    await db
      .insertInto('app.calls')
      .values({
        id: randomUUID(),
        phone: called.phone.replace(/[ -]/g, ''),
        sandbox: false,
        user_id: userId,
        list_id: listId,
        lead_id: called.id,
        verdict: 'callable',
        called_at: new Date(morning.getTime() - hoursAgo * HOUR_MS),
        outcome,
        outcome_at: new Date(morning.getTime() - hoursAgo * HOUR_MS),
        ...more,
      })
      .execute();
  };
  const dueAt = new Date(morning.getTime() - HOUR_MS);
  await call(lists.ready, 50, 'voicemail', { note: 'Closed over lunch.' });
  await call(lists.ready, 26, 'call_back', { note: 'Dr. Abbersley is back on Tuesday.', call_back_at: dueAt });
  await call(lists.done, 3, 'reached');
  return lists;
}
