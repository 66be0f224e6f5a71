import { useQuery, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod/mini';
import { EnrichmentStep } from '#contract/work/enrichment-steps.ts';
import { LeadChoice } from '#contract/work/lead-choice.ts';
import { LIST_RUN_KINDS, type ListRunKind, SearchedFor } from '#contract/work/runs.ts';
import type { Refusal, Work } from '#web/features/runs/failure.ts';
import { useSession } from '#web/lib/session/session.tsx';
import { readOfSession, writeOfSession } from '#web/lib/storage/storage.ts';

/** By list id: at most one of each kind of work, the newest last. */
type Refusals = Readonly<Record<string, readonly Refusal[]>>;

/** What is left out here is lost by a reload, and Retry then does other work. */
const WORK = {
  kind: z.enum(LIST_RUN_KINDS),
  chosen: z.optional(z.object({ choice: LeadChoice, count: z.number(), digest: z.optional(z.string()) })),
  searchFor: z.optional(SearchedFor),
  steps: z.optional(z.array(EnrichmentStep)),
  spendAtMostMicros: z.optional(z.number()),
} satisfies Record<keyof Work, unknown>;

const Stored = z.record(
  z.string(),
  z.array(z.object({ work: z.object(WORK), reason: z.string(), code: z.optional(z.string()), since: z.string() })),
);

const storageKey = (userId: string): string => `refusals:${userId}`;

function readRefusals(userId: string): Refusals {
  try {
    const stored = Stored.parse(JSON.parse(readOfSession(storageKey(userId)) ?? '{}'));
    return Object.fromEntries(
      Object.entries(stored).map(([id, all]) => [id, all.map((one) => ({ ...one, code: one.code }))]),
    );
  } catch {
    return {};
  }
}

/**
 * What the server, or what stands before it, has refused, where no run keeps it: an error of the server while its database is away, or a
 * proxy's. Remembered until this tab is closed.
 */
export function useRefusals(): {
  refusals: Refusals;
  remember: (listId: string, refusal: Refusal) => void;
  forget: (listId: string, kind: ListRunKind) => void;
} {
  const queries = useQueryClient();
  const userId = useSession().user?.id ?? '';
  const queryKey = ['refusals', userId];
  const { data } = useQuery<Refusals>({
    queryKey,
    queryFn: () => readRefusals(userId),
    initialData: () => readRefusals(userId),
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  const change = (listId: string, kind: ListRunKind, refusal: Refusal | undefined) => {
    const { [listId]: before = [], ...others } = queries.getQueryData<Refusals>(queryKey) ?? readRefusals(userId);
    const kept = before.filter(({ work }) => work.kind !== kind);
    if (kept.length === before.length && !refusal) return;
    const after = refusal ? [...kept, refusal] : kept;
    const next = after.length > 0 ? { ...others, [listId]: after } : others;
    queries.setQueryData<Refusals>(queryKey, next);
    writeOfSession(storageKey(userId), Object.keys(next).length > 0 ? JSON.stringify(next) : undefined);
  };
  return {
    refusals: data,
    remember: (listId, refusal) => change(listId, refusal.work.kind, refusal),
    forget: (listId, kind) => change(listId, kind, undefined),
  };
}
