/** What a status means. Color never says it alone: words or an icon say it too. */
export type Tone = 'neutral' | 'info' | 'success' | 'warning' | 'danger';
