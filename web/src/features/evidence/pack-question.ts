import { z } from 'zod/mini';
import type { PackQuestion } from '#contract/calling/evidence.ts';

/** What the form says. Days are YYYY-MM-DD or empty; an empty text asks for everything. */
export const PackForm = z.object({
  from: z.string(),
  to: z.string(),
  listId: z.string(),
  phone: z.string(),
  userId: z.string(),
});
export type PackForm = z.infer<typeof PackForm>;

export const EMPTY_FORM: PackForm = { from: '', to: '', listId: '', phone: '', userId: '' };

/** What the form asks for: whole days on the clock of this browser, the last one included. */
export function questionOf({ from, to, listId, phone, userId }: PackForm): PackQuestion {
  return {
    ...(from ? { from: startOf(from, 0) } : {}),
    ...(to ? { to: startOf(to, 1) } : {}),
    ...(listId ? { listId } : {}),
    ...(phone.trim() ? { phone: phone.trim() } : {}),
    ...(userId ? { userId } : {}),
  };
}

function startOf(day: string, daysLater: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + daysLater).toISOString();
}
