import { type RefObject, useRef, useState } from 'react';
import { type CallOutcome, SUPPRESSING_OUTCOMES } from '#contract/calling/calls.ts';
import type { Sheet } from './use-call-sheet.ts';
import { useNote } from './use-note.ts';

/** What is asked before an outcome is logged: when to call back, or whether to suppress. */
type Asking = 'call_back' | 'do_not_call' | 'wrong_number' | undefined;

/** What has been typed and chosen for the lead that is shown, and what the keys of the sheet do. */
export type SheetKeys = {
  asking: Asking;
  setAsking: (asking: Asking) => void;
  note: string;
  setNote: (note: string) => void;
  noteBox: RefObject<HTMLDivElement | null>;
  choose: (outcome: CallOutcome) => void;
  writeNote: () => void;
};

export function useSheetKeys(sheet: Sheet, userId: string): SheetKeys {
  const { lead } = sheet;
  const [asked, setAsked] = useState<{ leadId: string; asking: Asking }>();
  const noteBox = useRef<HTMLDivElement>(null);
  const [note, setNote] = useNote(userId, lead?.id ?? '', lead?.open?.note ?? '');
  // What was asked about a lead is of no concern to the next.
  const asking = asked?.leadId === lead?.id ? asked?.asking : undefined;
  const setAsking = (next: Asking) => setAsked(lead ? { leadId: lead.id, asking: next } : undefined);
  const choose = (outcome: CallOutcome) => {
    if (!lead || sheet.isBusy || sheet.isMoving) return;
    if (outcome === 'call_back' || SUPPRESSING_OUTCOMES.includes(outcome)) setAsking(outcome as Asking);
    else void sheet.say(outcome, note);
  };
  const writeNote = () => noteBox.current?.querySelector('textarea')?.focus();
  return { asking, setAsking, note, setNote, noteBox, choose, writeNote };
}
