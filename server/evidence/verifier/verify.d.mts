/** A sealed part of an entry. `text` is null unless it is open: it was erased, or is not about what was asked for. */
export type ProofPart = { hash: string; state: 'open' | 'withheld' | 'erased'; text: string | null };

/** An entry as it stands in entries.json. Hashes are SHA-256 in hex; `at` is an ISO time in UTC with microseconds. */
export type ProofEntry = {
  position: number;
  ticket: number;
  at: string;
  kind: string;
  actor: string | null;
  list: string | null;
  facts: unknown;
  parts: readonly ProofPart[];
  previous: string;
  skip: string;
  hash: string;
};

/** An entry without what it says: `content` is the hash of that. */
export type ProofLink = { position: number; previous: string; skip: string; content: string };

export type Fault = { position: number | undefined; why: string };
export type Head = { position: number; hash: string; at: string | null };
export type Verified = { ok: true; entries: number; head: Head; hasHead: boolean } | ({ ok: false } & Fault);

export function skipOf(position: number): number;
export function partsHashOf(parts: readonly ProofPart[]): string;
export function contentHashOf(entry: Omit<ProofEntry, 'position' | 'previous' | 'skip' | 'hash'>): string;
export function hashOf(link: ProofLink): string;
export function faultOfEntry(entry: ProofEntry, line: string): string | undefined;
export function lineOf(entry: ProofEntry): string;
export const LABELS: Readonly<Record<string, string>>;
export const CSV_HEAD: string;
export function csvRowOf(entry: ProofEntry): string;
export function openTexts(entry: Pick<ProofEntry, 'parts'>): string[];
export function linkOf(link: ProofLink): string;
export function createChainCheck(): {
  add(link: ProofLink): Fault | undefined;
  end(head: Pick<Head, 'position' | 'hash'>): Fault | undefined;
};
export function verifyPack(path: string, wanted?: string): Promise<Verified>;
export function main(args: readonly string[]): Promise<number>;
