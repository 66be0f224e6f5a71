/** Channels of PostgreSQL's NOTIFY that runs and paid calls speak on; main.ts listens on all of them. */
export const RUN_CHANNELS = ['run_ended', 'run_cancelled', 'call_settled'] as const;
