import { useEffect, useRef } from 'react';
import type { SheetLead } from '#contract/calling/calls.ts';
import type { ShownSheet } from './held-lead.ts';

/** Well within the two minutes for which the server keeps a lead for a sheet, in ms. */
const KEEP_EVERY_MS = 45_000;
const WAIT_EVERY_MS = 60_000;
const FAILED_EVERY_MS = 15_000;

/** How long until a sheet is read again, in ms; false where nothing will change by itself. */
export function refetchEvery(sheet: ShownSheet | undefined, error: Error | null): number | false {
  if (error) return FAILED_EVERY_MS;
  if (sheet?.state === 'lead') return KEEP_EVERY_MS;
  if (sheet?.state !== 'waiting') return false;
  const untilNext = sheet.nextAt ? Date.parse(sheet.nextAt) - Date.parse(sheet.at) : WAIT_EVERY_MS;
  return Math.min(WAIT_EVERY_MS, Math.max(1_000, untilNext));
}

/** Asks again once no call to the lead that is shown may begin any longer. `at`: the server's time when it was judged. */
export function useAtClosing(lead: SheetLead | undefined, at: string | undefined, ask: () => void): void {
  const latest = useRef(ask);
  latest.current = ask;
  const callTo = lead?.callability.callTo;
  const left = lead?.mayCall && callTo && at ? Date.parse(callTo) - Date.parse(at) : undefined;
  useEffect(() => {
    if (left === undefined || left <= 0) return;
    const timer = setTimeout(() => latest.current(), left + 250);
    return () => clearTimeout(timer);
  }, [left]);
}
