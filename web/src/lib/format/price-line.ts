import type { ReactNode } from 'react';
import type { Shown } from '#contract/money/budgets.ts';

/** A read of a price; as a query of TanStack Query is. */
export type PriceQuery = {
  isError: boolean;
  isPending: boolean;
  isFetching: boolean;
  refetch: () => Promise<unknown>;
};

/** Something to be paid for, in micro-dollars. */
export type PriceLine = {
  query: PriceQuery;
  /** Its estimate at list price, which stands above. While nothing better is known, it is what the run may cost. */
  listMicros: number;
  /**
   * What is paid for, and what is not; undefined until that is known. `callMicros`: what the first call of it costs. `nothing`:
   * why there is nothing to do at all. `sandbox`: whether it is a price in sandbox money.
   */
  price:
    | {
        text: string;
        boundMicros: number;
        callMicros: number;
        nothing?: string | undefined;
        sandbox?: boolean | undefined;
      }
    | undefined;
};

/**
 * What may be charged for it at most, in micro-dollars: what the dialog shows, what is sent, and what the run keeps to. `capMicros`: what
 * was typed.
 */
export const mostOf = ({ price, listMicros }: PriceLine, capMicros: number | undefined): number =>
  Math.min(price?.boundMicros ?? listMicros, capMicros ?? Number.POSITIVE_INFINITY);

/** The same as it is sent, with the kind of money that it is in. */
export const shownOf = (line: PriceLine, capMicros: number | undefined): Shown => ({
  boundMicros: mostOf(line, capMicros),
  sandbox: line.price?.sandbox,
});

/** The field “Spend at most” of a dialog, for what the dialog would pay for. */
export type SpendAtMost = (lines: readonly PriceLine[]) => {
  field: ReactNode;
  /** Whether what was typed is no amount, or would buy nothing. */
  blocked: boolean;
  /** What was typed, in micro-dollars. */
  capMicros: number | undefined;
};
