import { timingSafeEqual } from 'node:crypto';
import { STOP_CODE_DIGITS } from '#contract/calling/stop-page.ts';
import type { Vault } from '#db/sealed/vault.ts';

const MODULUS = 10 ** STOP_CODE_DIGITS;

/** The code of a request: made of its id by the encryption key, so that it need not be stored. */
export const codeOf = (vault: Vault, id: string): string => codeFrom(vault.fingerprint(placeOf(id)));

/** Whether it is the code of a request, under any key that is in force. */
export const isCodeOf = (vault: Vault, id: string, given: string): boolean =>
  vault
    .fingerprints(placeOf(id))
    .map((print) => timingSafeEqual(Buffer.from(codeFrom(print)), Buffer.from(given)))
    .some(Boolean);

const placeOf = (id: string) => `stop code ${id}`;

/** 48 bits over a million codes: none is noticeably likelier than another. */
const codeFrom = (print: string): string =>
  String(Number.parseInt(print.slice(0, 12), 16) % MODULUS).padStart(STOP_CODE_DIGITS, '0');
