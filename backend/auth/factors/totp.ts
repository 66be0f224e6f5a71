import { Secret, TOTP } from 'otpauth';
import { renderSVG } from 'uqr';

/** Six digits every 30 s by SHA-1: what every authenticator app can do. The steps before and after count, because clocks differ. */
const RULES = { algorithm: 'SHA1', digits: 6, period: 30 };
const WINDOW = 1;

/** What an authenticator app is told. `qr_code`: `uri` as an SVG; `secret` in base 32, for anyone who types it. */
export type TotpSetup = { qr_code: string; secret: string; uri: string };

/** A new secret, named in the app by `issuer` and the address of the account. */
export function newTotp(issuer: string, account: string): TotpSetup {
  const totp = new TOTP({ ...RULES, issuer, label: account, secret: new Secret({ size: 20 }) });
  const uri = totp.toString();
  return { qr_code: renderSVG(uri, { ecc: 'M', border: 4 }), secret: totp.secret.base32, uri };
}

/** The time step that a code belongs to, or undefined for one that is wrong or was taken already: of `lastStep`, or one before. */
export function stepOfCode(secret: string, code: string, lastStep: number | null): number | undefined {
  const now = Date.now();
  const config = { ...RULES, secret: Secret.fromBase32(secret), timestamp: now };
  const delta = TOTP.validate({ ...config, token: code, window: WINDOW });
  if (delta === null) return undefined;
  const step = TOTP.counter({ period: RULES.period, timestamp: now }) + delta;
  return lastStep !== null && step <= lastStep ? undefined : step;
}
