import { evidenceLabel, type PackQuestion } from '#contract/calling/evidence.ts';
import type { Db } from '#db/connection/client.ts';
import type { Vault } from '#db/sealed/vault.ts';
import { readEntries } from '#server/evidence/read-entries.ts';
import { openTexts, type ProofEntry } from '#server/evidence/verifier/verify.mjs';
import { escapeHtml } from '#server/mail/product-mail.ts';
import { linesOf, shortTime } from './pack-lines.ts';
import type { PackNames } from './pack-names.ts';
import type { PackScope } from './pack-scope.ts';
import type { NumberState, PackState } from './read-state.ts';

/** Entries that the summary shows; the others are in the CSV file. */
const SHOWN = 500;
/** Open parts that it shows of one entry. */
const SHOWN_PARTS = 20;

type Summary = {
  db: Db;
  vault: Vault;
  scope: PackScope;
  state: PackState;
  number: NumberState | undefined;
  question: PackQuestion;
  names: PackNames;
  madeAt: string;
};

/** A pack as a page to read, which needs nothing but a browser. Everything in it is escaped. */
export async function* summaryOf(summary: Summary): AsyncGenerator<string> {
  const { db, vault, scope, state, number, question, names, madeAt } = summary;
  yield `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Evidence pack</title>
<style>
body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color:#1b1f24;overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%;margin:.5rem 0 1.5rem}th,td{border:1px solid #d0d7de;padding:.3rem .5rem;text-align:left;vertical-align:top}
th{background:#f6f8fa}td:first-child{overflow-wrap:normal}code{font:12px/1.5 ui-monospace,monospace}.note{color:#57606a}
article{border-top:1px solid #d0d7de;padding:.75rem 0}h3,article p{margin:0}h3{font-size:1rem}ul{margin:.25rem 0;padding-left:1.25rem}
@media print{body{margin:0;max-width:none}article{break-inside:avoid}}
</style></head><body>
<h1>Evidence pack</h1>
<p>${sentence(state)} Made on ${shortTime(madeAt)}.</p>
${table(['Asked for', ''], questionRows(question, names))}
${table(
  ['What happened', 'Entries'],
  state.kinds.map(({ kind, entries }) => [evidenceLabel(kind), entries.toLocaleString('en-US')]),
)}
${number ? numberPart(number, question) : ''}
<h2>The chain</h2>
<p>Proven are entries.json and entries.csv. This page, the question and the time are only as trustworthy as who gave you the pack: compare them with the entries.</p>
<p>Its head when this pack was made: entry ${scope.head.position}, <code>${escapeHtml(scope.head.hash)}</code>.</p>
<p>To check every entry, open README.txt and run verify.mjs, which needs nothing but Node.</p>
<p class="note">This page repeats what was written down at the time. It does not say that a call was lawful. Ask a lawyer before you rely on it.</p>
<h2>Entries</h2>
`;
  let shown = 0;
  for await (const entries of readEntries(db, vault, scope)) {
    const some = entries.slice(0, SHOWN - shown);
    yield some.map(entryPart).join('');
    shown += some.length;
    if (shown === SHOWN) break;
  }
  const rest = state.entries - shown;
  yield `${rest > 0 ? `<p>And ${rest.toLocaleString('en-US')} more: entries.csv has them all.</p>\n` : ''}</body></html>\n`;
}

function entryPart(entry: ProofEntry): string {
  const facts = typeof entry.facts === 'object' && entry.facts !== null ? linesOf(entry.facts) : [];
  const texts = openTexts(entry).slice(0, SHOWN_PARTS);
  const said = texts.map((text) => linesOf(JSON.parse(text)).join('; '));
  return `<article><h3>Entry ${entry.position}: ${escapeHtml(evidenceLabel(entry.kind))}</h3>
<p>${escapeHtml(shortTime(entry.at))}, ${entry.actor ? `by account <code>${escapeHtml(entry.actor)}</code>` : 'by no account'}${entry.list ? `, list <code>${escapeHtml(entry.list)}</code>` : ''}</p>
${listPart('Facts', facts)}${listPart('Personal data', [...said, ...privacyNotes(entry.parts)])}<p class="note">Hash <code>${entry.hash}</code></p></article>
`;
}

const listPart = (title: string, lines: readonly string[]): string =>
  lines.length === 0
    ? ''
    : `<p class="note">${title}</p>\n<ul>${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('')}</ul>\n`;

const sentence = ({ entries, firstAt, lastAt }: PackState): string =>
  entries === 0
    ? 'No entry fits what was asked for.'
    : `${entries.toLocaleString('en-US')} ${entries === 1 ? 'entry' : 'entries'}, from ${shortTime(firstAt ?? '')} to ${shortTime(lastAt ?? '')}.`;

const LABELS: Record<keyof PackQuestion, string> = {
  from: 'From',
  to: 'Before',
  listId: 'List',
  exportId: 'Export',
  userId: 'Person',
  phone: 'Number',
  proveEntry: 'Prove entry',
};

function questionRows(question: PackQuestion, names: PackNames): string[][] {
  const wordsOf = (name: string, value: string) => {
    if (name === 'listId') return `${names.list ?? 'A list that is gone'} (${value})`;
    if (name === 'userId') return `${names.person ?? 'An account that is gone'} (${value})`;
    return shortTime(value);
  };
  const rows = Object.entries(question).map(([name, value]) => [
    LABELS[name as keyof PackQuestion],
    wordsOf(name, String(value ?? '')),
  ]);
  return rows.length > 0 ? rows : [['Everything', 'that this account may see']];
}

/** What is said where nothing is left that could tell. */
const DESTROYED = {
  erased: 'Destroyed when the number was erased. This pack cannot tell',
  aged: 'None is kept. What was older than five years was destroyed, and this pack cannot tell',
};

function numberPart(number: NumberState, { to }: PackQuestion): string {
  const { check, call, isOwnOnly, destroyed } = number;
  const none = destroyed
    ? DESTROYED[destroyed]
    : isOwnOnly
      ? 'None. This pack does not show those of others.'
      : undefined;
  const rows = [
    [isOwnOnly ? 'Your last check' : 'Last check', check ? checkText(check) : (none ?? 'Never checked')],
    ['Suppression list', suppressionText(number)],
    [isOwnOnly ? 'Your last call' : 'Last call', call ? callText(call) : (none ?? 'None was logged')],
  ];
  return `<h2>How the number stood ${to ? `before ${escapeHtml(shortTime(to))}` : 'when this pack was made'}</h2>\n${table(['', ''], rows)}`;
}

function checkText({ position, facts }: NonNullable<NumberState['check']>): string {
  const { verdict, lists, answeredAt, expiresAt, sandbox } = facts;
  const until = expiresAt ? `valid until ${shortTime(String(expiresAt))}` : 'without an end';
  return `${sandbox ? 'Sandbox only, which is invented: ' : ''}${verdict}${lists ? ` (${lists})` : ''}, answered ${shortTime(String(answeredAt))}, ${until} (entry ${position})`;
}

/** The list of today holds also what was added more than five years ago, when its entry can no longer be found by the number. */
function suppressionText({ suppression, listedAt, erasedAt, destroyed }: NumberState): string {
  if (erasedAt) return `Erased and held back for good since ${shortTime(erasedAt)}`;
  const wasRemoved = suppression?.kind === 'suppression.removed';
  if (listedAt && (!suppression || wasRemoved)) return `On it since ${shortTime(listedAt)}`;
  if (!suppression) return destroyed ? DESTROYED[destroyed] : 'No entry under this number';
  return `${wasRemoved ? 'Removed from it' : 'On it since'} ${shortTime(suppression.at)} (entry ${suppression.position})`;
}

function callText({ kind, at, facts, position }: NonNullable<NumberState['call']>): string {
  const what =
    kind === 'call.taken_back'
      ? `Its outcome was taken back, ${shortTime(at)}`
      : `${facts.outcome}, ${shortTime(String(facts.calledAt))}`;
  return `${facts.sandbox ? 'Practice only: ' : ''}${what} (entry ${position})`;
}

function privacyNotes(parts: ProofEntry['parts']): string[] {
  const of = (state: string) => parts.filter((part) => part.state === state).length;
  const open = of('open');
  return [
    ...(open > SHOWN_PARTS ? [`and ${open - SHOWN_PARTS} more`] : []),
    ...(of('erased') > 0 ? [`${of('erased')} erased`] : []),
    ...(of('withheld') > 0 ? [`${of('withheld')} about others`] : []),
  ];
}

const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  `<table><thead><tr>${heads.map((head) => `<th>${escapeHtml(head)}</th>`).join('')}</tr></thead><tbody>${rows
    .map((row) => `<tr>${row.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`)
    .join('')}</tbody></table>`;
