/** Channels of PostgreSQL's NOTIFY that runs, paid calls and imports speak on; main.ts listens on all of them. */
export const RUN_CHANNELS = ['run_ended', 'run_cancelled', 'call_settled', 'import_waits'] as const;
