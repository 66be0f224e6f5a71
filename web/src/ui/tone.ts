/** What a status means. Colour never says it alone: words or an icon say it too. */
export type Tone = 'neutral' | 'info' | 'success' | 'warning' | 'danger';
