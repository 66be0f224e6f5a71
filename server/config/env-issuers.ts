import type { Variables } from './env-variables.ts';

/** A provider of OpenID Connect, and what it knows this server by. */
export type ConfiguredIssuer = {
  /** As clients call it: `google`, or `custom:` and a name. */
  name: string;
  /** Undefined where the sandbox stands in its place. */
  issuer: string | undefined;
  clientIds: readonly [string, ...string[]];
  clientSecret: string;
};

/** As a provider key that starts so, it leads to the sandbox. */
const isSandboxed = (clientId: string): boolean => clientId.startsWith('sandbox');

/** By whose word people may sign in, as configured. A simulated one is left out where there is no sandbox. */
export function issuersOf(variables: Variables, sandbox: boolean): ConfiguredIssuer[] {
  const asked = [
    ['google', variables.GOOGLE_ISSUER, variables.GOOGLE_CLIENT_ID, variables.GOOGLE_CLIENT_SECRET],
    [`custom:${variables.OIDC_NAME}`, variables.OIDC_ISSUER, variables.OIDC_CLIENT_ID, variables.OIDC_CLIENT_SECRET],
  ] as const;
  return asked.flatMap(([name, issuer, [clientId, ...more], clientSecret = '']) => {
    if (!clientId) return [];
    const simulated = isSandboxed(clientId);
    if (simulated && !sandbox) return [];
    return [{ name, issuer: simulated ? undefined : issuer, clientIds: [clientId, ...more], clientSecret }];
  });
}

/** Whether people can sign in at a provider that is not simulated. */
export const hasRealIssuer = (given: Record<string, string>): boolean =>
  [given.GOOGLE_CLIENT_ID, given.OIDC_CLIENT_ID].some((clientId) => clientId && !isSandboxed(clientId));

/** What is missing or contradicts itself, in words that name variables and no value. */
export function issuerProblems(given: Record<string, string>): string[] {
  return ['GOOGLE', 'OIDC'].flatMap((name) => {
    const [id, secret] = [`${name}_CLIENT_ID`, `${name}_CLIENT_SECRET`];
    const clientId = given[id];
    if (!clientId) return [];
    if (given.SUPABASE_URL) return [`${id} has no effect with SUPABASE_URL: configure providers there`];
    if (isSandboxed(clientId))
      return given.NODE_ENV === 'production'
        ? [`${id} must not name the sandbox in production: anyone can sign in there as anyone`]
        : [];
    return [
      ...(given[secret] ? [] : [`${secret} is needed when ${id} is set`]),
      ...(name === 'OIDC' && !given.OIDC_ISSUER ? [`OIDC_ISSUER is needed when ${id} is set`] : []),
    ];
  });
}
