import type { CallVerdict } from '#contract/calling/call-verdicts.ts';
import { untilDone } from '#db/cancel/while-asked.ts';
import type { Db } from '#db/connection/client.ts';
import { guardedTransaction } from '#db/connection/guarded-transaction.ts';
import type { Vault } from '#db/sealed/vault.ts';
import { chunks } from '#server/lib/chunks.ts';
import { appendEvidence } from './append-evidence.ts';
import { erasingLate, keepingErasuresWaiting } from './erase-evidence.ts';
import type { CountedVerdicts, EvidenceEntry, SaidOfLeads, VerdictView } from './evidence-entry.ts';
import { evidenceVault } from './evidence-vault.ts';
import { RULES_IN_FORCE } from './rules-in-force.ts';
import { createShownBefore, type ShownBefore } from './shown-before.ts';

type Deps = { db: Db; vault: Vault };
/** `at`: the moment that was asked about, in ms since 1970. `isLater`: someone named it, and it is not that of the look. */
type View = { actor: string; list: string; sandbox: boolean; at: number; isLater?: boolean };

/** What someone sees of a lead. `number` as E.164; times are ISO. */
export type ShownVerdict = {
  lead: string;
  number: string | undefined;
  verdict: CallVerdict;
  opensAt?: string | undefined;
  closesAt?: string | undefined;
  reasons: readonly { code: string; citation?: string | undefined }[];
};

/** Characters of one entry's facts for what was shown. All its facts together may have 20,000 bytes. */
const MOST_SAID = 15_000;
/** Moments at which leads open that one entry names. A cap on calls lets each number open at a moment of its own. */
const MOST_OPENINGS = 150;
/** Characters of a lead's id in JSON. */
const ID_LENGTH = 39;

/** What each process has shown lately, by its vault. */
const processes = new WeakMap<Vault, ShownBefore>();

/** Records verdicts before they are shown, except those that the same person saw a moment ago. */
export async function recordShownVerdicts(
  deps: Deps,
  { actor, list, sandbox, at, view, isLater = false }: View & { view: VerdictView },
  leads: readonly ShownVerdict[],
): Promise<void> {
  const before = shownBefore(deps.vault);
  const moment = isLater ? at : 'now';
  const news = leads
    .map((lead) => ({ ...lead, key: `${actor} ${lead.lead}`, said: saidOf(lead) }))
    .map((lead) => ({
      ...lead,
      text: JSON.stringify(lead.said),
      shown: JSON.stringify([lead.number, lead.said, moment]),
    }))
    .filter(({ key, shown }) => !before.has(key, shown));
  const entries = [...portionsOf(news)].map(
    (some): EvidenceEntry => ({
      kind: 'verdict.shown',
      actor,
      list,
      facts: {
        view,
        at: new Date(at).toISOString(),
        said: [...Map.groupBy(some, ({ text }) => text).values()].flatMap((same) =>
          same[0] ? [{ ...same[0].said, leads: same.map(({ lead }) => lead) }] : [],
        ),
        ...RULES_IN_FORCE,
        sandbox,
      },
      parts: some.flatMap(({ lead, number }) =>
        number === undefined ? [] : [{ subjects: [`phone:${number}`], content: { phone: number, lead } }],
      ),
    }),
  );
  await append(deps, entries);
  for (const { key, shown } of news) before.add(key, shown);
}

/**
 * Records how many leads of a list were said to have which verdict, once in a while for each person and list. Several entries with the
 * same counts share what opens later where that would grow too long for one.
 */
export async function recordCountedVerdicts(
  deps: Deps,
  { actor, list, sandbox, at, isLater = false, counts, opening }: View & CountedVerdicts,
): Promise<void> {
  const before = shownBefore(deps.vault);
  const moment = new Date(at).toISOString();
  const key = `${actor} ${list} counts`;
  const said = isLater ? moment : 'now';
  if (before.has(key, said)) return;
  const shares = opening.length > 0 ? [...chunks(opening, MOST_OPENINGS)] : [opening];
  const entries = shares.map((some): EvidenceEntry => {
    const facts = { at: moment, counts, opening: some, ...RULES_IN_FORCE, sandbox };
    return { kind: 'verdict.counted', actor, list, facts };
  });
  await append(deps, entries);
  before.add(key, said);
}

/** Cuts leads into portions that fit into the facts of one entry. */
function* portionsOf<Lead extends { text: string }>(leads: readonly Lead[]): Generator<Lead[]> {
  let portion: Lead[] = [];
  let said = new Set<string>();
  let length = 0;
  for (const lead of leads) {
    const added = ID_LENGTH + (said.has(lead.text) ? 0 : lead.text.length);
    if (portion.length > 0 && length + added > MOST_SAID) {
      yield portion;
      [portion, said, length] = [[], new Set(), 0];
    }
    length += portion.length > 0 ? added : ID_LENGTH + lead.text.length;
    said.add(lead.text);
    portion.push(lead);
  }
  if (portion.length > 0) yield portion;
}

function shownBefore(vault: Vault): ShownBefore {
  const known = processes.get(vault) ?? createShownBefore();
  processes.set(vault, known);
  return known;
}

const saidOf = ({ verdict, opensAt, closesAt, reasons }: ShownVerdict): Omit<SaidOfLeads, 'leads'> => ({
  verdict,
  opensAt: opensAt ?? null,
  closesAt: closesAt ?? null,
  reasons: reasons.map(({ code, citation = null }) => ({ code, citation })),
});

async function append({ db, vault }: Deps, entries: readonly EvidenceEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const evidence = await evidenceVault(db, vault);
  const contacts = entries.flatMap(({ parts = [] }) => parts.flatMap(({ subjects }) => subjects));
  await untilDone(() =>
    guardedTransaction(db, async (tx) => {
      if (contacts.length > 0) await keepingErasuresWaiting.execute(tx);
      await appendEvidence(tx, evidence, entries);
      if (contacts.length > 0) await erasingLate(evidence, contacts).execute(tx);
    }),
  );
}
