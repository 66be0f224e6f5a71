const HOUR_MS = 3_600_000;

/** How often access may be asked about, counted in the database for all processes. Refused questions count too. */
export const PRECHECK_LIMITS = {
  /** An office behind one address signs in together in the morning; a script tries thousands. */
  perIp: { bucket: 'access.precheck.ip.1h', hits: 120, windowMs: HOUR_MS },
  /**
   * For an address from one network: what strangers ask about it elsewhere must not keep its owner out.
   * Several times what someone needs who mistypes and asks again.
   */
  perAddress: { bucket: 'access.precheck.from.1h', hits: 30, windowMs: HOUR_MS },
} as const;
