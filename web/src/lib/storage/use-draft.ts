import { useEffect, useRef, useState } from 'react';
import type { z } from 'zod/mini';
import { useSession } from '#web/lib/session/session.tsx';
import { forgetKept, hasEnded, keepUnlessTaken, noteTyped, readDraft, readTyped } from './drafts.ts';

/**
 * A form that survives the end of a session: `initial` is what the same person had typed, or `fallback`.
 *
 * - `change` is to be told what is typed; the value may hold no secret
 * - `clear` is for a form that is sent or given up
 * - `sent` is for one that goes before it is answered; `taken` resolves to false, and never rejects, when the session had ended
 */
export function useDraft<S extends z.ZodMiniType>(
  name: string,
  schema: S,
  fallback: z.output<S>,
): {
  initial: z.output<S>;
  change: (value: z.output<S>) => void;
  clear: () => void;
  sent: (taken: Promise<boolean>) => void;
} {
  const { user } = useSession();
  const [userId] = useState(user?.id);
  const [initial] = useState(() => {
    const kept = userId === undefined ? undefined : readDraft(userId, name);
    const parsed = schema.safeParse(kept);
    return kept !== undefined && parsed.success ? parsed.data : fallback;
  });
  const untouched = useRef(textOf(fallback));
  const change = (value: z.output<S>) => noteTyped(name, textOf(value) === untouched.current ? undefined : value);
  const first = useRef(() => change(initial));
  useEffect(() => {
    // It is this form's again, and kept again should the session end once more.
    if (userId !== undefined && !hasEnded()) forgetKept(userId, name);
    first.current();
    return () => noteTyped(name, undefined);
  }, [userId, name]);
  const clear = () => {
    noteTyped(name, undefined);
    if (userId !== undefined) forgetKept(userId, name);
  };
  const sent = (taken: Promise<boolean>) => {
    if (userId !== undefined) void keepUnlessTaken(userId, name, readTyped(name), taken);
    clear();
  };
  return { initial, change, clear, sent };
}

/** The same for a form that holds its value as state. */
export function useDraftState<S extends z.ZodMiniType>(
  name: string,
  schema: S,
  fallback: z.output<S>,
): [
  value: z.output<S>,
  setValue: (value: z.output<S>) => void,
  clear: () => void,
  sent: (taken: Promise<boolean>) => void,
] {
  const { initial, change, clear, sent } = useDraft(name, schema, fallback);
  const [value, setValue] = useState(initial);
  const set = (next: z.output<S>) => {
    setValue(() => next);
    change(next);
  };
  return [value, set, clear, sent];
}

/** Tells a draft what is typed into a form that another library holds. */
export function useNoteTyped<T>({ change }: { change: (value: T) => void }, value: unknown): void {
  const text = JSON.stringify(value);
  const note = useRef(change);
  note.current = change;
  useEffect(() => note.current(JSON.parse(text) as T), [text]);
}

/** A value as text, whatever the order of its fields. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
