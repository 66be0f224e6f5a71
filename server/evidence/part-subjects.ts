import { hash as hashOf } from 'node:crypto';
import type { Vault } from '#db/sealed/vault.ts';
import type { ProofPart } from './verifier/verify.mjs';

/** Characters of a hash in base64url that a part holds: 132 bits. Imports store a million of them. */
const LENGTH = 22;

/** What a sealed part says of its subjects: a hash of their fingerprints, in whatever order and however often they are given. */
export const aboutOf = (subjects: readonly string[]): string =>
  hashOf('sha256', [...new Set(subjects)].toSorted().join('\n'), 'base64url').slice(0, LENGTH);

/** A part with what stands beside it. `subjects`: their fingerprints. `isTold`: an entry tells of its erasure, or it was due. */
export type StoredPart = ProofPart & { subjects: readonly string[]; isTold: boolean };

/** What is wrong with what stands beside a part, whose text has its hash; undefined for nothing. */
export function faultBesidePart(vault: Vault, { state, text, subjects, isTold }: StoredPart): string | undefined {
  if (state === 'erased') {
    if (!isTold) return 'a sealed part of it was destroyed, and no entry tells of that';
    return subjects.length === 0 ? undefined : 'a part of it was destroyed, and whom it was about was not forgotten';
  }
  const stated = text === null ? undefined : statedIn(vault, JSON.parse(text));
  return stated === undefined || stated === aboutOf(subjects)
    ? undefined
    : 'those whom a sealed part of it is about are not those it was sealed with';
}

/** Parts from before subjects were under the proof name them in their content; undefined for a reply, which names many. */
function statedIn(vault: Vault, content: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof content.about === 'string') return content.about;
  if ('reply' in content) return undefined;
  const { phone, suppressed, removed } = content;
  const keys = [typeof phone === 'string' ? `phone:${phone}` : undefined, suppressed, removed];
  return aboutOf(keys.flatMap((key) => (typeof key === 'string' ? vault.fingerprint(key) : [])));
}
