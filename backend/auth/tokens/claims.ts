/** What a token says. Mind these: policies and both APIs read them. */
export type Claims = { readonly exp: number; readonly sub: string; readonly [name: string]: unknown };
