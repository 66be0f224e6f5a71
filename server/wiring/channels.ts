/** Channels of PostgreSQL's NOTIFY that the product listens on. Runs, paid calls, imports and triggers of lists send on them. */
export const PRODUCT_CHANNELS = ['run_ended', 'run_cancelled', 'call_settled', 'import_waits', 'list_changed'] as const;
