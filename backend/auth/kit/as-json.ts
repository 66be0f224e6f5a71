/** A row whose times may be texts, as they are in PostgreSQL's JSON of it. */
export type AsJson<Row> = { [Column in keyof Row]: Date extends Row[Column] ? Row[Column] | string : Row[Column] };

/** How times go over the wire. */
export const toIso = (at: Date | string) => new Date(at).toISOString();
