import type { CallVerdict } from '#contract/calling/call-verdicts.ts';
import type { Suppression, SuppressionKind } from '#contract/calling/suppressions.ts';
import type { ExportCompliance, ExportFilter, ExportRights } from '#contract/work/exports/export-choice.ts';
import type { RulesInForce } from './rules-in-force.ts';

/**
 * Personal data of an entry. It is sealed, and an erasure destroys it.
 * - `subjects`: suppression keys ("phone:+12175550100") under which it is found, and erased.
 */
export type SealedPart = { subjects: readonly string[]; content: Readonly<Record<string, unknown>> };

/** One kind of entry: `facts` name no one. Times are ISO, money is in micro-dollars, hashes are SHA-256 in hex. */
type Entry<Kind extends string, Facts> = {
  kind: Kind;
  /** Who did it; null for what no account did, such as an answer on the public page. */
  actor: string | null;
  list?: string | null;
  facts: Facts;
  parts?: readonly SealedPart[];
};

/** What a phone check found. `lists` are the provider's codes; null where a litigator's verdict never expires. */
type Verdict = {
  verdict: 'safe' | 'dnc' | 'litigator' | 'not_checked';
  lists: string | null;
  answeredAt: string;
  expiresAt: string | null;
};

/** Where verdicts were shown: one lead's panel, the column of a list, a page in their order or by their filter, the call sheet. */
export type VerdictView = 'lead' | 'column' | 'page' | 'sheet';

/** What was said about some leads, by their ids. */
export type SaidOfLeads = {
  verdict: CallVerdict;
  opensAt: string | null;
  closesAt: string | null;
  reasons: readonly { code: string; citation: string | null }[];
  leads: readonly string[];
};

export type CountedVerdicts = {
  counts: Readonly<Record<CallVerdict, number>>;
  opening: readonly { opensAt: string; leads: number; inReview: number }[];
};

/** Everything that can be an entry. A new kind needs a label in the contract. */
export type EvidenceEntry =
  /** One request that was answered. `request` is ours; `providerRequest` is the provider's, where it gives one. Part: the reply. */
  | Entry<
      'scrub.replied',
      {
        provider: string;
        request: string;
        providerRequest: string | null;
        numbers: number;
        askedAt: string;
        answeredAt: string;
        replySha256: string;
        replyBytes: number;
        listVersion: string | null;
        costMicros: number;
        sandbox: boolean;
      }
    >
  /** One number of such a request. Part: the number. */
  | Entry<
      'scrub.verdict',
      Verdict & { provider: string; request: string | null; call: string; costMicros: number; sandbox: boolean }
    >
  /** A verdict that was known, and used for another list. Part: the number. */
  | Entry<'verdict.reused', Verdict & { provider: string; call: string; run: string; sandbox: boolean }>
  /** A verdict on calling now, as the caller saw it. Part: the number. */
  | Entry<
      'verdict.given',
      RulesInForce & {
        verdict: CallVerdict;
        at: string;
        opensAt: string | null;
        zones: readonly string[];
        /** Codes of the reasons, and the citations behind them. */
        reasons: readonly { code: string; citation: string | null }[];
        lead: string | null;
        sandbox: boolean;
      }
    >
  /** Verdicts on calling that a page or a caller of the API was shown. Parts: the number of each lead that has one. */
  | Entry<
      'verdict.shown',
      RulesInForce & { view: VerdictView; at: string; said: readonly SaidOfLeads[]; sandbox: boolean }
    >
  /** How many leads of a list were said to have which verdict. */
  | Entry<'verdict.counted', RulesInForce & CountedVerdicts & { at: string; sandbox: boolean }>
  /** Parts: the value, and the note. */
  | Entry<'suppression.added', { kind: SuppressionKind; source: Suppression['source'] }>
  /** Parts: each value. */
  | Entry<'suppression.imported', { added: number; source: Suppression['source'] }>
  /** Parts: the value, and the reason. */
  | Entry<'suppression.removed', { kind: SuppressionKind; suppression: string }>
  /** A change of what the rules allow. `reason` is the administrator's own text, and so is a part. */
  | Entry<
      'rules.overridden',
      RulesInForce & { rule: string; before: string | null; after: string | null; citation: string | null }
    >
  /** `columns`: without those of people's own files. Parts: the name of the list, and the names of those columns. */
  | Entry<
      'export.begun',
      RulesInForce & {
        export: string;
        filter: ExportFilter;
        compliance: ExportCompliance;
        rights: ExportRights;
        /** Only leads that could be called within so many hours; null for whether or not they could. */
        callWithin: number | null;
        callTimes: boolean;
        selected: boolean;
        columns: readonly string[];
        sandbox: boolean;
      }
    >
  /**
   * Leads that left with one part of the file. Parts: the numbers of those that have one, with what the file says of calls.
   * Numbers in columns of people's own files follow in entries of no lead.
   * - `calls`: how many were said to have which verdict on calling; null where the file was not asked for that.
   */
  | Entry<
      'export.leads',
      { export: string; leads: number; withPhone: number; calls: Readonly<Partial<Record<CallVerdict, number>>> | null }
    >
  /** `complete`: false where the connection broke. `csvSha256` is that of the bytes that were sent. */
  | Entry<'export.ended', { export: string; complete: boolean; leads: number; csvSha256: string }>
  /** A kept file that was saved once more. `export`: empty where an earlier version kept it. */
  | Entry<'export.again', { export: string; file: string; sandbox: boolean }>
  /** A call that a person made. Parts: the number, and notes. */
  | Entry<
      'call.logged',
      RulesInForce & {
        outcome: 'reached' | 'no_answer' | 'voicemail' | 'call_back' | 'wrong_number' | 'do_not_call';
        calledAt: string;
        callBackAt: string | null;
        verdict: string | null;
        lead: string | null;
        call: string;
        sandbox: boolean;
      }
    >
  /** An outcome that was withdrawn, or a call that was not made after all. Part: the number. */
  | Entry<
      'call.taken_back',
      { what: 'outcome' | 'call'; outcome: string | null; call: string; lead: string | null; sandbox: boolean }
    >
  /** The database adds it. `parts`: how many sealed parts were destroyed. `hashes`: SHA-256 of their sorted hashes, a line each. */
  | Entry<'contact.erased', { kind: 'phone' | 'email' | 'business'; hash: string }>
  | Entry<'evidence.erased', { parts: number; hashes: string }>;

/** Parts that one entry may have. A pack shows the hash of each, also of those that it withholds. */
export const MOST_PARTS = 1_000;
