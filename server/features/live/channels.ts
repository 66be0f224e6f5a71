/** Channels of PostgreSQL's NOTIFY, sent by triggers; main.ts listens on both. */
export const LIVE_CHANNELS = ['list_changed', 'session_ended'] as const;
