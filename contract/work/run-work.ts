import { type EnrichmentStep, findsEmails } from './enrichment-steps.ts';
import type { RunKind } from './runs.ts';

/** What a run does. It is its kind, but an enrichment that looks for nothing is a verification of emails. */
export type RunWork = RunKind | 'verification';

type Told = { kind: RunKind; steps?: readonly EnrichmentStep[] | undefined };

export const runWorkOf = ({ kind, steps }: Told): RunWork =>
  kind === 'enrichment' && steps !== undefined && !findsEmails(steps) ? 'verification' : kind;
