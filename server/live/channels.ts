/** Channels of PostgreSQL's NOTIFY, sent by triggers; main.ts listens on them. */
export const LIVE_CHANNELS = ['list_changed'] as const;
