import { evidenceLabel, type PackQuestion } from '#contract/calling/evidence.ts';
import type { Db } from '#db/connection/client.ts';
import type { Vault } from '#db/sealed/vault.ts';
import { readEntries } from '#server/evidence/read-entries.ts';
import { escapeHtml } from '#server/mail/product-mail.ts';
import { cellsOf, openTexts } from './pack-cells.ts';
import type { PackScope } from './pack-scope.ts';
import type { NumberState, PackState } from './read-state.ts';

/** Entries that the summary shows; the others are in the CSV file. */
const SHOWN = 500;

type Summary = {
  db: Db;
  vault: Vault;
  scope: PackScope;
  state: PackState;
  number: NumberState | undefined;
  question: PackQuestion;
  madeAt: string;
};

/** A pack as a page to read, which needs nothing but a browser. Everything in it is escaped. */
export async function* summaryOf(summary: Summary): AsyncGenerator<string> {
  const { db, vault, scope, state, number, question, madeAt } = summary;
  yield `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Evidence pack</title>
<style>
body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem;color:#1b1f24}
table{border-collapse:collapse;width:100%;margin:.5rem 0 1.5rem}th,td{border:1px solid #d0d7de;padding:.3rem .5rem;text-align:left;vertical-align:top}
th{background:#f6f8fa}code,td.mono{font:12px/1.5 ui-monospace,monospace;overflow-wrap:anywhere}.note{color:#57606a}
</style></head><body>
<h1>Evidence pack</h1>
<p>${sentence(state)} Made on ${escapeHtml(madeAt)}. Times are UTC.</p>
${table(['Asked for', ''], questionRows(question))}
${table(
  ['What happened', 'Entries'],
  state.kinds.map(({ kind, entries }) => [evidenceLabel(kind), entries.toLocaleString('en-US')]),
)}
${number ? numberPart(number, question) : ''}
<h2>The chain</h2>
<p>Its head when this pack was made: entry ${scope.head.position}, <code>${escapeHtml(scope.head.hash)}</code>.</p>
<p>To check every entry, open README.txt and run verify.mjs, which needs nothing but Node.</p>
<p class="note">This page repeats what was written down at the time. It does not say that a call was lawful. Ask a lawyer before you rely on it.</p>
<h2>Entries</h2>
<table><thead><tr>${['Entry', 'Time (UTC)', 'What happened', 'Facts', 'Personal data', 'Hash'].map((head) => `<th>${head}</th>`).join('')}</tr></thead><tbody>
`;
  let shown = 0;
  for await (const entries of readEntries(db, vault, scope)) {
    const some = entries.slice(0, SHOWN - shown);
    yield some
      .map((entry) => {
        const [position = '', at = '', what = '', , , , facts = ''] = cellsOf(entry);
        const texts = openTexts(entry).slice(0, 20).map(escapeHtml);
        return `<tr><td>${position}</td><td>${at}</td><td>${escapeHtml(what)}</td><td class="mono">${escapeHtml(facts)}</td><td class="mono">${texts.join('<br>')}${privacyNote(entry.parts)}</td><td class="mono">${entry.hash}</td></tr>\n`;
      })
      .join('');
    shown += some.length;
    if (shown === SHOWN) break;
  }
  const rest = state.entries - shown;
  yield `</tbody></table>\n${rest > 0 ? `<p>And ${rest.toLocaleString('en-US')} more: entries.csv has them all.</p>\n` : ''}</body></html>\n`;
}

const sentence = ({ entries, firstAt, lastAt }: PackState): string =>
  entries === 0
    ? 'No entry fits what was asked for.'
    : `${entries.toLocaleString('en-US')} ${entries === 1 ? 'entry' : 'entries'}, from ${firstAt} to ${lastAt}.`;

const LABELS: Record<keyof PackQuestion, string> = {
  from: 'From',
  to: 'Before',
  listId: 'List',
  exportId: 'Export',
  userId: 'Person',
  phone: 'Number',
};

function questionRows(question: PackQuestion): string[][] {
  const rows = Object.entries(question).map(([name, value]) => [LABELS[name as keyof PackQuestion], value ?? '']);
  return rows.length > 0 ? rows : [['Everything', 'that this account may see']];
}

function numberPart({ check, suppression, call, erasedAt }: NumberState, { to }: PackQuestion): string {
  const rows = [
    [
      'Last check',
      check
        ? `${check.facts.verdict}${check.facts.lists ? ` (${check.facts.lists})` : ''}, answered ${check.facts.answeredAt}, ${check.facts.expiresAt ? `valid until ${check.facts.expiresAt}` : 'without an end'} (entry ${check.position})`
        : 'Never checked',
    ],
    [
      'Suppression list',
      erasedAt
        ? `Erased and held back for good since ${erasedAt}`
        : suppression
          ? `${suppression.kind === 'suppression.removed' ? 'Removed from it' : 'On it since'} ${suppression.at} (entry ${suppression.position})`
          : 'No entry under this number',
    ],
    ['Last call', call ? `${callText(call)} (entry ${call.position})` : 'None was logged'],
  ];
  return `<h2>How the number stood ${to ? `before ${escapeHtml(to)}` : 'when this pack was made'}</h2>\n${table(['', ''], rows)}`;
}

const callText = ({ kind, at, facts }: NonNullable<NumberState['call']>): string =>
  kind === 'call.taken_back' ? `Its ${facts.what} was taken back, ${at}` : `${facts.outcome}, ${facts.calledAt}`;

function privacyNote(parts: readonly { state: string }[]): string {
  const of = (state: string) => parts.filter((part) => part.state === state).length;
  const open = of('open');
  return [
    ...(open > 20 ? [`and ${open - 20} more`] : []),
    ...(of('erased') > 0 ? [`${of('erased')} erased`] : []),
    ...(of('withheld') > 0 ? [`${of('withheld')} about others`] : []),
  ]
    .map((note) => `<br><span class="note">${note}</span>`)
    .join('');
}

const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  `<table><thead><tr>${heads.map((head) => `<th>${escapeHtml(head)}</th>`).join('')}</tr></thead><tbody>${rows
    .map((row) => `<tr>${row.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`)
    .join('')}</tbody></table>`;
