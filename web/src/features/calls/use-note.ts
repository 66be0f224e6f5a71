import { useState } from 'react';
import { readOfSession, writeOfSession } from '#web/lib/storage/storage.ts';

const keyOf = (userId: string, leadId: string): string => `call-note:${userId}:${leadId}`;

/**
 * The note on a lead. What is typed stays in this tab until it is logged, also through a reload. `stored`: what was logged before.
 * `forget` is for a note that is logged.
 */
export function useNote(
  userId: string,
  leadId: string,
  stored: string,
): [note: string, setNote: (note: string) => void, forget: () => void] {
  const key = keyOf(userId, leadId);
  const [typed, setTyped] = useState<{ key: string; note: string }>();
  const note = typed?.key === key ? typed.note : (readOfSession(key) ?? stored);
  const change = (next: string) => {
    setTyped({ key, note: next });
    writeOfSession(key, next);
  };
  const forget = () => {
    setTyped((one) => (one?.key === key ? undefined : one));
    writeOfSession(key, undefined);
  };
  return [note, change, forget];
}

/** Brings a note back that was not logged in the end. */
export const keepNote = (userId: string, leadId: string, note: string | undefined): void =>
  writeOfSession(keyOf(userId, leadId), note);
