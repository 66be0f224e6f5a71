import { type RunWork, runWorkOf } from '#contract/work/run-work.ts';

/** How work is called: as a title, within a sentence, while it is done, and at its end. */
type Words = { title: string; noun: string; doing: string; complete: string; failed: string };

const WORDS: Readonly<Record<RunWork, Words>> = {
  search: {
    title: 'Search',
    noun: 'search',
    doing: 'Searching',
    complete: 'Search complete',
    failed: 'Search failed',
  },
  enrichment: {
    title: 'Email enrichment',
    noun: 'email enrichment',
    doing: 'Adding emails & contacts',
    complete: 'Enrichment complete',
    failed: 'Enrichment failed',
  },
  verification: {
    title: 'Email verification',
    noun: 'email verification',
    doing: 'Verifying emails',
    complete: 'Email verification complete',
    failed: 'Email verification failed',
  },
  compliance: {
    title: 'Compliance check',
    noun: 'compliance check',
    doing: 'Checking compliance',
    complete: 'Compliance check complete',
    failed: 'Compliance check failed',
  },
  place: {
    title: 'Place look-up',
    noun: 'place look-up',
    doing: 'Looking up a place',
    complete: 'Place look-up complete',
    failed: 'Place look-up failed',
  },
  survey: {
    title: 'Area count',
    noun: 'area count',
    doing: 'Counting an area',
    complete: 'Area count complete',
    failed: 'Area count failed',
  },
};

/** What a run, or work that is asked for, is called, by what it does. */
export const wordsOf = (work: Parameters<typeof runWorkOf>[0]): Words => WORDS[runWorkOf(work)];
