/** Where a request came from: limits are counted by `ip`; both are kept with the session. */
export type Caller = { ip: string; userAgent: string | undefined };

/** A caller who signs in, and how. */
export type Arrival = Caller & { way: 'link' | 'code' | 'oauth' };
