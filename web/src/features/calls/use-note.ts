import { useState } from 'react';
import { readOfSession, writeOfSession } from '#web/lib/storage/storage.ts';

const keyOf = (userId: string, leadId: string): string => `call-note:${userId}:${leadId}`;

/** The note on a lead. What is typed stays in this tab until it is logged, also through a reload. `stored`: what was logged before. */
export function useNote(
  userId: string,
  leadId: string,
  stored: string,
): [note: string, setNote: (note: string) => void] {
  const key = keyOf(userId, leadId);
  const [typed, setTyped] = useState<{ key: string; note: string }>();
  const note = typed?.key === key ? typed.note : (readOfSession(key) ?? stored);
  const change = (next: string) => {
    setTyped({ key, note: next });
    writeOfSession(key, next);
  };
  return [note, change];
}

/** For a note that is logged. */
export const forgetNote = (userId: string, leadId: string): void => writeOfSession(keyOf(userId, leadId), undefined);
