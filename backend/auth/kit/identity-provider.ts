/** Someone who tells by OpenID Connect who people are. */
export type IdentityProvider = {
  /** As clients name it: `google`, or `custom:` and a name. */
  name: string;
  /** Its address. Only a simulated one may have `http:`. */
  issuer: string;
  /** By the first one people are sent there; ID tokens for any of them are taken. */
  clientIds: readonly [string, ...string[]];
  clientSecret: string;
};
