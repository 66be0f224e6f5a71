/** The two ways in which clients write messages: as objects, or as arrays, where broadcasts may be bytes. */
export type Version = '1.0.0' | '2.0.0';

/** A message of Phoenix's channels. `ref` is repeated by its reply, `joinRef` names the join that it belongs to. */
export type Frame = { joinRef: string | null; ref: string | null; topic: string; event: string; payload: unknown };
