import { evidenceLabel } from '#contract/calling/evidence.ts';
import type { ProofEntry } from '#server/evidence/verifier/verify.mjs';

export const COLUMNS = [
  'Position',
  'Time (UTC)',
  'What happened',
  'Kind',
  'Actor ID',
  'List ID',
  'Facts',
  'Personal data',
  'Parts erased',
  'Parts withheld',
  'Hash',
];

/** An entry as a row of the CSV file. */
export const cellsOf = (entry: ProofEntry): string[] => [
  String(entry.position),
  entry.at,
  evidenceLabel(entry.kind),
  entry.kind,
  entry.actor ?? '',
  entry.list ?? '',
  JSON.stringify(entry.facts),
  openTexts(entry).join('\n'),
  String(count(entry, 'erased')),
  String(count(entry, 'withheld')),
  entry.hash,
];

/** What the open parts of an entry say, without the salt and the hash of whom they are about. */
export const openTexts = ({ parts }: ProofEntry): string[] =>
  parts.flatMap(({ state, text }) => (state === 'open' && text ? [saidIn(text)] : []));

const saidIn = (text: string): string => text.replace(/^\{"salt":"[^"]*",?(?:"about":"[^"]*",?)?/, '{');

const count = ({ parts }: ProofEntry, state: ProofEntry['parts'][number]['state']): number =>
  parts.filter((part) => part.state === state).length;
