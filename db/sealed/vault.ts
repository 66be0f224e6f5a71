import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { fewRandomBytes } from './random.ts';

const VERSION = 'v1';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Seals secrets with AES-256-GCM.
 * `place`: where the sealed text is stored ("provider_keys.sealed_key:<user>:<provider>"). Copied to another place, it does not open.
 */
export type Vault = {
  seal(plain: string, place: string): string;
  /** @throws VaultError */
  open(sealed: string, place: string): string;
  /** A keyed hash (HMAC-SHA256, hex) under the first key, to recognize a text without storing it. */
  fingerprint(text: string): string;
  /** Its fingerprint under every key, the first key's first. */
  fingerprints(text: string): string[];
  /** What tells its keys apart, without revealing them: the second of the parts, separated by dots, of what each has sealed. */
  readonly keyIds: readonly string[];
};

/** `bad_key`: not 32 base64 bytes. `unknown_key`: sealed with a key that is not configured. `not_authentic`: altered, or of another place. */
export type VaultErrorKind = 'bad_key' | 'unknown_key' | 'malformed' | 'not_authentic';

const messages: Record<VaultErrorKind, string> = {
  bad_key: 'An encryption key is not 32 bytes in base64.',
  unknown_key: 'A stored secret was sealed with a key that is not among ENCRYPTION_KEYS.',
  malformed: 'A stored secret is not in the form of a sealed text.',
  not_authentic: 'A stored secret was altered, or moved from where it was stored.',
};

/** Its message never contains a secret, sealed or open. */
export class VaultError extends Error {
  override name = 'VaultError';
  readonly kind: VaultErrorKind;

  constructor(kind: VaultErrorKind) {
    super(messages[kind]);
    this.kind = kind;
  }
}

/**
 * `keys`: 32 bytes each, in base64, or where to ask for them before each use. The first encrypts, all decrypt.
 * @throws VaultError for a bad key or none.
 */
export function createVault(keys: readonly string[] | (() => readonly string[])): Vault {
  const ask = typeof keys === 'function' ? keys : () => keys;
  let ring = makeRing(ask());
  const current = () => {
    const now = ask();
    if (now !== ring.made) ring = makeRing(now);
    return ring;
  };

  return {
    seal(plain, place) {
      const { first } = current();
      const iv = fewRandomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', first.sealing, iv).setAAD(boundTo(first.id, place));
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return [VERSION, first.id, ...[iv, body, cipher.getAuthTag()].map((part) => part.toString('base64url'))].join(
        '.',
      );
    },
    open(sealed, place) {
      const [version, id, ...encoded] = sealed.split('.');
      const [iv, body, tag] = encoded.map((part) => Buffer.from(part, 'base64url'));
      if (
        version !== VERSION ||
        !id ||
        encoded.length !== 3 ||
        !body ||
        iv?.length !== IV_BYTES ||
        tag?.length !== TAG_BYTES ||
        // Several spellings stand for the same bytes: any but the one that was made was altered.
        [iv, body, tag].some((part, at) => part.toString('base64url') !== encoded[at])
      )
        throw new VaultError('malformed');
      const key = current().byId.get(id);
      if (!key) throw new VaultError('unknown_key');
      const decipher = createDecipheriv('aes-256-gcm', key.sealing, iv, { authTagLength: TAG_BYTES });
      decipher.setAAD(boundTo(id, place)).setAuthTag(tag);
      try {
        return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
      } catch {
        throw new VaultError('not_authentic');
      }
    },
    fingerprint: (text) => fingerprintOf(text, current().first),
    fingerprints: (text) => [...current().byId.values()].map((key) => fingerprintOf(text, key)),
    get keyIds() {
      return [...current().byId.keys()];
    },
  };
}

type Ring = { made: readonly string[]; first: DerivedKey; byId: ReadonlyMap<string, DerivedKey> };

function makeRing(keys: readonly string[]): Ring {
  const derived = keys.map(derive);
  const [first] = derived;
  if (!first) throw new VaultError('bad_key');
  return { made: keys, first, byId: new Map(derived.map((key) => [key.id, key])) };
}

/** Node's own keys: given bytes, it makes an error with its stack each time before it takes them. */
type DerivedKey = { id: string; sealing: KeyObject; fingerprinting: KeyObject };

function derive(text: string): DerivedKey {
  const key = Buffer.from(text, 'base64');
  if (key.length !== KEY_BYTES) throw new VaultError('bad_key');
  const part = (purpose: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', key, '', `fairlead ${purpose}`, bytes));
  return {
    id: part('key id', 6).toString('base64url'),
    sealing: createSecretKey(part('sealing', KEY_BYTES)),
    fingerprinting: createSecretKey(part('fingerprint', KEY_BYTES)),
  };
}

const fingerprintOf = (text: string, key: DerivedKey) =>
  createHmac('sha256', key.fingerprinting).update(text).digest('hex');

const boundTo = (id: string, place: string) => Buffer.from(`${VERSION}.${id}.${place}`, 'utf8');
