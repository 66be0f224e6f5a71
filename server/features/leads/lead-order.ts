import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod/mini';
import { LEAD_SORTS, type LeadSort } from '#contract/work/leads-of-list.ts';
import { AppError } from '#server/lib/app-error.ts';

/** Where the next leads begin: after the one with this value of the sorted column and this position. */
const Cursor = z.tuple([
  // PostgreSQL has no text with this character.
  z.nullable(z.string().check(z.refine((key) => !key.includes('\0')))),
  z.int().check(z.minimum(0), z.maximum(2 ** 31 - 1)),
]);

/** The orders by a column. What may be called now has none, because it depends on the moment. */
const COLUMNS: Record<Exclude<LeadSort, 'call'>, RawBuilder<string>> = {
  businessName: sql`lead.business_name`,
  phone: sql`lead.phone`,
  email: sql`lead.email`,
  ownerName: sql`lead.owner_name`,
};

/** An order of leads. Those without the value come last in either direction; equal ones stay as they were found. */
export type LeadOrder = {
  /** Whether it is the one in which leads were found. */
  isPlain: boolean;
  /** The value to sort by, read as `key`. */
  key: RawBuilder<string | null>;
  by: RawBuilder<unknown>;
  /**
   * Whether a lead comes after a cursor.
   * @throws VALIDATION_FAILED when the text is not a cursor.
   */
  isAfter(cursor: string): RawBuilder<boolean>;
};

/** Reads an order such as `phone.desc`; undefined is the order in which leads were found. */
export function orderOf(sort: string | undefined): LeadOrder {
  const [name, direction] = (sort ?? '').split('.');
  const column = LEAD_SORTS.find((one) => one === name);
  if (!column || column === 'call') {
    return {
      isPlain: true,
      key: sql`null::text`,
      by: sql`meant.position`,
      isAfter: (cursor) => sql`lead.position > ${readCursor(cursor)[1]}`,
    };
  }
  const key = sql<string | null>`nullif(${COLUMNS[column]}, '') collate app.natural_order`;
  const by =
    direction === 'desc'
      ? sql`meant.sort_key desc nulls last, meant.position`
      : sql`meant.sort_key asc nulls last, meant.position`;
  const isBehind = direction === 'desc' ? sql`<` : sql`>`;
  return {
    isPlain: false,
    key,
    by,
    isAfter(cursor) {
      const [last, position] = readCursor(cursor);
      if (last === null) return sql`(${key} is null and lead.position > ${position})`;
      return sql`(${key} ${isBehind} ${last} or (${key} = ${last} and lead.position > ${position}) or ${key} is null)`;
    },
  };
}

export const writeCursor = (key: string | null, position: number): string =>
  Buffer.from(JSON.stringify([key, position])).toString('base64url');

function readCursor(cursor: string): z.infer<typeof Cursor> {
  try {
    return Cursor.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch (error) {
    throw new AppError('VALIDATION_FAILED', 'after is not the `next` of an earlier answer.', { cause: error });
  }
}
