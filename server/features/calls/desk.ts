import type { RawBuilder } from 'kysely';
import type { SheetCallability } from '#contract/calling/calls.ts';
import type { SuppressingOutcome } from '#contract/calling/suppressing-outcomes.ts';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { Vault } from '#db/sealed/vault.ts';
import type { Ctx } from '#server/http/context.ts';

/**
 * - `mayCall`: a call may begin, in a sandbox list as practice. `nextAt`: when a call may begin next, in ms since 1970.
 * - `dialing`: whether a call that began at a time may be dialed, and what is then said of it: a cap counts it already. In ms since 1970.
 */
export type JudgedLead = {
  id: string;
  callability: SheetCallability;
  mayCall: boolean;
  dialing: (calledAt: number) => { mayDial: boolean; callability: SheetCallability };
  nextAt: number | undefined;
};

/** What other features do for this one. */
export type CallDesk = {
  /**
   * Judges leads by all that holds them back. `condition` on public.leads as `lead` and public.lists as `list`.
   * - `notBefore`: for some leads, by id, the first moment at which they are to be called, in ms since 1970.
   */
  judge(
    db: Db,
    condition: RawBuilder<boolean>,
    at: number,
    notBefore?: ReadonlyMap<string, number>,
  ): Promise<JudgedLead[]>;
  /** Keeps anyone here from calling a number again. `askedAt`: when the call was. */
  suppress(tx: Tx, ctx: Ctx, what: { number: string; outcome: SuppressingOutcome; askedAt: Date }): Promise<void>;
  /** Does so where its business asked for it before the number was found. `number` as E.164. */
  suppressFound(tx: Tx, vault: Vault, number: string): Promise<void>;
};

/** What the verbs of this feature get. */
export type CallsCtx = Ctx & { desk: CallDesk };
