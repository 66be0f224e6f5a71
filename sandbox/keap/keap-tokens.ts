import { randomBytes } from 'node:crypto';

/** A grant: an access token, and the refresh token that replaces both. */
type KeapGrant = { accessToken: string; refreshToken: string };

/**
 * Codes and tokens of the simulated CRM. Tokens name their client, so that those of an earlier sandbox still work: what is
 * remembered is only which have been spent.
 */
export type KeapTokens = {
  issueCode(clientId: string, redirectUri: string): string;
  /** Undefined for a code that is unknown, spent, or was issued for something else. */
  spendCode(code: string, clientId: string, redirectUri: string): KeapGrant | undefined;
  /** Undefined for a refresh token that is spent, foreign or none. Access and refresh token of before stop working. */
  rotate(refreshToken: string, clientId: string): KeapGrant | undefined;
  /** Whose access token this is; undefined when it does not work. */
  clientOf(accessToken: string): string | undefined;
};

export function createKeapTokens(): KeapTokens {
  const codes = new Map<string, { clientId: string; redirectUri: string }>();
  const spent = new Set<string>();

  const write = (kind: 'access' | 'refresh', clientId: string, id: string) =>
    `${kind}.${Buffer.from(clientId).toString('base64url')}.${id}`;
  const read = (kind: 'access' | 'refresh', token: string) => {
    const [given, client = '', id = '', ...more] = token.split('.');
    if (given !== kind || client === '' || id === '' || more.length > 0 || spent.has(id)) return undefined;
    return { clientId: Buffer.from(client, 'base64url').toString('utf8'), id };
  };
  const grant = (clientId: string): KeapGrant => {
    const id = randomId();
    return { accessToken: write('access', clientId, id), refreshToken: write('refresh', clientId, id) };
  };

  return {
    issueCode(clientId, redirectUri) {
      const code = randomId();
      codes.set(code, { clientId, redirectUri });
      return code;
    },
    spendCode(code, clientId, redirectUri) {
      const issued = codes.get(code);
      codes.delete(code);
      return issued?.clientId === clientId && issued.redirectUri === redirectUri ? grant(clientId) : undefined;
    },
    rotate(refreshToken, clientId) {
      const before = read('refresh', refreshToken);
      if (before?.clientId !== clientId) return undefined;
      spent.add(before.id);
      return grant(clientId);
    },
    clientOf: (accessToken) => read('access', accessToken)?.clientId,
  };
}

const randomId = () => randomBytes(18).toString('base64url');
