import { useQuery, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod/mini';
import { LeadChoice } from '#contract/work/lead-choice.ts';
import { LIST_RUN_KINDS, SearchedFor } from '#contract/work/runs.ts';
import type { Refusal } from '#web/features/runs/failure.ts';
import { useSession } from '#web/lib/session/session.tsx';
import { readOfSession, writeOfSession } from '#web/lib/storage/storage.ts';

/** By list id. */
type Refusals = Readonly<Record<string, Refusal>>;

const Stored = z.record(
  z.string(),
  z.object({
    work: z.object({
      kind: z.enum(LIST_RUN_KINDS),
      chosen: z.optional(z.object({ choice: LeadChoice, count: z.number() })),
      searchFor: z.optional(SearchedFor),
      spendAtMostMicros: z.optional(z.number()),
    }),
    reason: z.string(),
    code: z.optional(z.string()),
    since: z.string(),
  }),
);

const storageKey = (userId: string): string => `refusals:${userId}`;

function readRefusals(userId: string): Refusals {
  try {
    const stored = Stored.parse(JSON.parse(readOfSession(storageKey(userId)) ?? '{}'));
    return Object.fromEntries(Object.entries(stored).map(([id, one]) => [id, { ...one, code: one.code }]));
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
  forget: (listId: string) => void;
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
  const change = (listId: string, refusal: Refusal | undefined) => {
    const { [listId]: before, ...others } = queries.getQueryData<Refusals>(queryKey) ?? readRefusals(userId);
    if (!before && !refusal) return;
    const next = refusal ? { ...others, [listId]: refusal } : others;
    queries.setQueryData<Refusals>(queryKey, next);
    writeOfSession(storageKey(userId), Object.keys(next).length > 0 ? JSON.stringify(next) : undefined);
  };
  return {
    refusals: data,
    remember: change,
    forget: (listId) => change(listId, undefined),
  };
}
