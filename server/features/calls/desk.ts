import type { RawBuilder } from 'kysely';
import type { Callability } from '#contract/calling/callability.ts';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { Ctx } from '#server/http/context.ts';

/** `mayCall`: a call may begin, in a sandbox list as practice. `notBefore`: when it may be callable again, in ms since 1970. */
export type JudgedLead = { id: string; callability: Callability; mayCall: boolean; notBefore: number | undefined };

/** What other features do for this one. */
export type CallDesk = {
  /** Judges leads by all that holds them back. `condition` on public.leads as `lead` and public.lists as `list`. */
  judge(db: Db, condition: RawBuilder<boolean>, at: number): Promise<JudgedLead[]>;
  /** Keeps anyone here from calling a number again. */
  suppress(tx: Tx, ctx: Ctx, what: { number: string; note: string }): Promise<void>;
};

/** What the verbs of this feature get. */
export type CallsCtx = Ctx & { desk: CallDesk };
