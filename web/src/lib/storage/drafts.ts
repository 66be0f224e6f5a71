import { readStored, removeStored, writeStored } from './storage.ts';

/** In localStorage, because the link of the email opens in another tab. */
const KEY = 'drafts';

/** As long as a sign-in link lives, in ms. */
const MAX_AGE_MS = 3_600_000;

/** What was typed into forms when a session ended: of one person, by the names of the forms. Never keys or secrets. */
type Kept = { userId: string; at: number; values: Record<string, unknown> };

/** What is typed into the forms that are open now, as far as it was changed. */
const open = new Map<string, unknown>();
/** Whose session has ended in this page; unset while someone is signed in. */
let ended: string | undefined;

function readKept(userId: string, now: number): Kept | undefined {
  try {
    const kept = JSON.parse(readStored(KEY) ?? '') as Partial<Kept> | null;
    if (kept?.userId !== userId || typeof kept.at !== 'number' || now - kept.at > MAX_AGE_MS) return undefined;
    return { userId, at: kept.at, values: { ...kept.values } };
  } catch {
    return undefined;
  }
}

function keep(userId: string, typed: ReadonlyMap<string, unknown>): void {
  if (typed.size === 0) return;
  const at = Date.now();
  const values = { ...readKept(userId, at)?.values, ...Object.fromEntries(typed) };
  writeStored(KEY, JSON.stringify({ userId, at, values } satisfies Kept));
}

/** Keeps what is typed, for when the same person signs in again. */
export function sessionEnded(userId: string): void {
  ended = userId;
  keep(userId, open);
}

/** Forgets what was kept for someone else, or for too long. */
export function sessionBegan(userId: string): void {
  ended = undefined;
  if (!readKept(userId, Date.now())) removeStored(KEY);
}

/** For someone who logs out on purpose: nothing stays behind. */
export function forgetDrafts(): void {
  open.clear();
  removeStored(KEY);
}

/** Takes one form out of what is kept. */
export function forgetKept(userId: string, name: string): void {
  const kept = readKept(userId, Date.now());
  if (!kept || !(name in kept.values)) return;
  const { [name]: _, ...values } = kept.values;
  if (Object.keys(values).length === 0) removeStored(KEY);
  else writeStored(KEY, JSON.stringify({ ...kept, values } satisfies Kept));
}

/** What is kept for a form; undefined if nothing is. */
export const readDraft = (userId: string, name: string): unknown => readKept(userId, Date.now())?.values[name];

/** Tells what is typed into an open form; undefined for one that is untouched or closed. */
export function noteTyped(name: string, value: unknown): void {
  if (value === undefined) open.delete(name);
  else open.set(name, value);
  if (value !== undefined && ended !== undefined) keep(ended, open);
}

/** What is typed into an open form; undefined for one that is untouched or closed. */
export const readTyped = (name: string): unknown => open.get(name);

/** Keeps what was sent for a form, should `taken` resolve to false: it met a session that had ended. */
export async function keepUnlessTaken(
  userId: string,
  name: string,
  value: unknown,
  taken: Promise<boolean>,
): Promise<void> {
  if (!(await taken) && value !== undefined) keep(userId, new Map([[name, value]]));
}

export const hasEnded = (): boolean => ended !== undefined;
