import { z } from 'zod/mini';

/** The years that `Date` and PostgreSQL both write with four digits, in UTC. There is no year zero. */
const FIRST = Date.parse('0001-01-01T00:00:00Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

const inYears = (error: string) =>
  z.refine<string>((text) => {
    const at = Date.parse(text);
    return at >= FIRST && at <= LAST;
  }, error);

/** A day, such as 2026-11-21. */
export const isoDate = (error: string) => z.iso.date({ error }).check(inYears(error));

/** A time with its offset, such as 2026-11-21T09:00:00Z. */
export const isoTime = (error: string) => z.iso.datetime({ offset: true, error }).check(inYears(error));
