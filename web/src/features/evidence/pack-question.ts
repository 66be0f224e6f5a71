import { z } from 'zod/mini';
import { PackQuestion } from '#contract/calling/evidence.ts';

/** Chosen instead of a list, to name any list by its id. */
export const BY_ID = 'by-id';

/** What the form says. Days are YYYY-MM-DD or empty; an empty text asks for everything. `namedId`: of a list that is named by it. */
export const PackForm = z.object({
  from: z.string(),
  to: z.string(),
  listId: z.string(),
  namedId: z.string(),
  exportId: z.string(),
  phone: z.string(),
  userId: z.string(),
  proveEntry: z.string(),
});
export type PackForm = z.infer<typeof PackForm>;

export const EMPTY_FORM: PackForm = {
  from: '',
  to: '',
  listId: '',
  namedId: '',
  exportId: '',
  phone: '',
  userId: '',
  proveEntry: '',
};

/** What the form asks for: whole days on the clock of this browser, the last one included. */
export function questionOf(form: PackForm): PackQuestion {
  const { from, to, listId, namedId, exportId, phone, userId } = form;
  // As mails write it: 12,345.
  const proveEntry = form.proveEntry.replaceAll(/[\s,]/g, '');
  return {
    ...(from ? { from: startOf(from, 0) } : {}),
    ...(to ? { to: startOf(to, 1) } : {}),
    ...(listId ? { listId: listId === BY_ID ? namedId.trim() : listId } : {}),
    ...(exportId.trim() ? { exportId: exportId.trim() } : {}),
    ...(phone.trim() ? { phone: phone.trim() } : {}),
    ...(userId ? { userId } : {}),
    ...(proveEntry ? { proveEntry: Number(proveEntry) } : {}),
  };
}

/** What is wrong with a question, by the field that it stands in. */
export type PackFaults = Partial<Record<keyof PackQuestion, string>>;

/** What is wrong with a question; nothing where it can be asked. */
export function faultsOf(question: PackQuestion): PackFaults {
  const issues = PackQuestion.safeParse(question).error?.issues ?? [];
  return Object.fromEntries(issues.map(({ path, message }) => [path.join('.'), message]));
}

function startOf(day: string, daysLater: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + daysLater).toISOString();
}
