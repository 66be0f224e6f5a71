import { useQueries } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import type { Lead } from '#contract/work/leads.ts';
import { LEADS_AT_ONCE, leadsQuery } from '#web/features/leads/api.ts';
import type { LeadWindow } from '#web/features/leads/leads-table.tsx';
import type { LeadsView } from '#web/features/leads/view/leads-view.ts';

/** The height of each row with its border, in pixels. To measure 100,000 rows takes longer than a frame. */
const ROW_PX = 41;
const OVERSCAN = 4;
/** While someone scrolls, leads are asked for at most this often, in ms. */
const EVERY_MS = 150;

/** The leads that a table which scrolls through all of them needs now, with the room that the others take. */
export function useLeadWindow({ listId, view, total }: { listId: string; view: LeadsView; total: number }) {
  'use no memo';
  const scroller = useRef<HTMLElement>(null);
  const virtualizer = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    useFlushSync: false,
  });
  const items = virtualizer.getVirtualItems();
  const [first, last] = [items[0], items.at(-1)];
  const from = useThrottled(partOf(first?.index ?? 0));
  const to = useThrottled(partOf(last?.index ?? 0));
  const offsets = Array.from({ length: total === 0 ? 0 : to - from + 1 }, (_, at) => (from + at) * LEADS_AT_ONCE);
  const { filter, sort } = view;
  const parts = useQueries({ queries: offsets.map((offset) => leadsQuery({ listId, filter, sort, offset })) });
  const leadAt = (index: number): Lead | undefined => parts[partOf(index) - from]?.data?.leads[index % LEADS_AT_ONCE];
  const shown: LeadWindow = {
    scroller,
    before: first?.start ?? 0,
    after: virtualizer.getTotalSize() - (last?.end ?? 0),
    rows: items.map(({ index }) => ({ index, lead: leadAt(index) })),
  };
  return { shown, failed: parts.find((part) => part.isError && !part.data) };
}

const partOf = (index: number): number => Math.floor(index / LEADS_AT_ONCE);

/** A value that changes at most every `EVERY_MS`. The last one always comes. */
function useThrottled(value: number): number {
  const [told, setTold] = useState({ value, at: 0 });
  useEffect(() => {
    if (value === told.value) return;
    const wait = Math.max(0, told.at + EVERY_MS - Date.now());
    const timer = setTimeout(() => setTold({ value, at: Date.now() }), wait);
    return () => clearTimeout(timer);
  }, [value, told]);
  return told.value;
}
