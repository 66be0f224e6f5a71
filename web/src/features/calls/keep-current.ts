import { useEffect, useRef } from 'react';
import type { SheetLead } from '#contract/calling/calls.ts';
import type { ShownSheet } from './held-lead.ts';

/** Well within the two minutes for which the server keeps a lead for a sheet, in ms. */
const KEEP_EVERY_MS = 45_000;
const WAIT_EVERY_MS = 60_000;
const FAILED_EVERY_MS = 15_000;
/** No call begins in the last seconds of a window, in ms. */
export const LAST_CALL_MS = 30_000;

/** How long until a sheet is read again, in ms; false where nothing will change by itself. */
export function refetchEvery(sheet: ShownSheet | undefined, error: Error | null): number | false {
  if (error) return FAILED_EVERY_MS;
  if (sheet?.state === 'lead') return KEEP_EVERY_MS;
  if (sheet?.state !== 'waiting') return false;
  const untilNext = sheet.nextAt ? Date.parse(sheet.nextAt) - Date.parse(sheet.at) : WAIT_EVERY_MS;
  return Math.min(WAIT_EVERY_MS, Math.max(1_000, untilNext));
}

/** Asks again when the hours of the lead that is shown end. `at`: the server's time when it was judged. */
export function useAtClosing(lead: SheetLead | undefined, at: string | undefined, ask: () => void): void {
  const latest = useRef(ask);
  latest.current = ask;
  const closesAt = lead?.callability.window.closesAt;
  const left = closesAt && at ? Date.parse(closesAt) - Date.parse(at) - LAST_CALL_MS : undefined;
  useEffect(() => {
    if (left === undefined || left <= 0) return;
    const timer = setTimeout(() => latest.current(), left + 250);
    return () => clearTimeout(timer);
  }, [left]);
}
