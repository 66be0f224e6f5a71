import { z } from 'zod/mini';
import type { LeadList } from '#contract/work/lists.ts';
import { readStored, removeStored, writeStored } from '#web/lib/storage/storage.ts';

/** Lists that are being worked on, each with a time (ISO, the server's) that is not after the end of that work. */
export type UnderWay = Readonly<Record<string, string>>;

const Stored = z.record(z.string(), z.string());
const keyOf = (userId: string): string => `lists-under-way:${userId}`;

/** What was under way when this browser last looked, so that its end is told after a reload or a return. */
export function readUnderWay(userId: string): UnderWay {
  try {
    return Stored.parse(JSON.parse(readStored(keyOf(userId)) ?? '{}'));
  } catch {
    return {};
  }
}

export function writeUnderWay(userId: string, lists: UnderWay): void {
  if (Object.keys(lists).length === 0) removeStored(keyOf(userId));
  else writeStored(keyOf(userId), JSON.stringify(lists));
}

/** Compares what was under way with the lists as they are: what is still at work, and what has ended. Deleted lists are forgotten. */
export function followUnderWay(
  before: UnderWay,
  lists: readonly LeadList[],
): { now: UnderWay; ended: { list: LeadList; since: string }[] } {
  const now: Record<string, string> = {};
  const ended: { list: LeadList; since: string }[] = [];
  for (const list of lists) {
    const since = before[list.id];
    if (list.status === 'processing') now[list.id] = since ?? list.updatedAt;
    else if (since !== undefined) ended.push({ list, since });
  }
  return { now, ended };
}
