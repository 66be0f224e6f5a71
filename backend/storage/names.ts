import { invalidBucketName, invalidKey } from './storage-error.ts';

const MAX_BYTES = 1_024;
/** What hosted Storage takes: letters, digits and what is neither escaped in addresses nor odd in a file's name. */
const ALLOWED = /^[\w/!\-.*'() &$@=;:+,?]+$/;

/** @throws InvalidKey for what could be misread as a step through folders, and for what hosted Storage would not take. */
export function requireObjectName(name: string): string {
  const steps = name.split('/');
  const odd = steps.some((step) => step === '' || step === '.' || step === '..');
  if (odd || !ALLOWED.test(name) || Buffer.byteLength(name) > MAX_BYTES) throw invalidKey(name);
  return name;
}

/** @throws InvalidBucketName */
export function requireBucketName(name: string): string {
  if (!/^[\w!\-.*'() &$@=;:+,?]{1,100}$/.test(name) || name !== name.trim()) throw invalidBucketName();
  return name;
}
