import { z } from 'zod/mini';
import { RUN_KINDS } from '#contract/work/runs.ts';

/** Reads the kind of a stored run. */
export const RunKind = z.enum(RUN_KINDS);
