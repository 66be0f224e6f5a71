import { type RefObject, useRef, useState } from 'react';
import type { CallOutcome, LoggedCall } from '#contract/calling/calls.ts';
import { isSuppressing, type SuppressingOutcome } from '#contract/calling/suppressing-outcomes.ts';
import type { Sheet } from './use-call-sheet.ts';
import { useNote } from './use-note.ts';

/** What is asked before an outcome is logged: when to call back, or whether to suppress. */
type Asking = 'call_back' | SuppressingOutcome | undefined;

/** What has been typed and chosen for the lead that is shown, and what the keys of the sheet do. */
export type SheetKeys = {
  asking: Asking;
  setAsking: (asking: Asking) => void;
  /** The call without an outcome that is given one, in place of a call of now. */
  earlier: LoggedCall | undefined;
  setEarlier: (call: LoggedCall | undefined) => void;
  note: string;
  setNote: (note: string) => void;
  noteBox: RefObject<HTMLDivElement | null>;
  choose: (outcome: CallOutcome) => void;
  save: (outcome: CallOutcome, callBackAt?: string) => void;
  writeNote: () => void;
};

export function useSheetKeys(sheet: Sheet, userId: string): SheetKeys {
  const { lead } = sheet;
  const [asked, setAsked] = useState<{ leadId: string; asking?: Asking; earlier?: LoggedCall | undefined }>();
  const noteBox = useRef<HTMLDivElement>(null);
  const [note, setNote, forgetNote] = useNote(userId, lead?.id ?? '', lead?.open?.note ?? '');
  // What was asked about a lead is of no concern to the next.
  const own = lead && asked?.leadId === lead.id ? asked : undefined;
  const asking = own?.asking;
  const earlier = own?.earlier;
  const setAsking = (next: Asking) => setAsked(lead ? { leadId: lead.id, earlier, asking: next } : undefined);
  const setEarlier = (call: LoggedCall | undefined) => setAsked(lead ? { leadId: lead.id, earlier: call } : undefined);
  const save = (outcome: CallOutcome, callBackAt?: string) => {
    setEarlier(undefined);
    void sheet.say(outcome, note, { callBackAt, earlier, taken: forgetNote });
  };
  const choose = (outcome: CallOutcome) => {
    if (!lead || sheet.isBusy || sheet.isMoving) return;
    if (outcome === 'call_back' || isSuppressing(outcome)) setAsking(outcome);
    else save(outcome);
  };
  const writeNote = () => noteBox.current?.querySelector('textarea')?.focus();
  return { asking, setAsking, earlier, setEarlier, note, setNote, noteBox, choose, save, writeNote };
}
