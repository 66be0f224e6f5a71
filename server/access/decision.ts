import type { DenialReason } from '#contract/access/precheck.ts';

/** `message` is shown to the person as it is. */
export type AccessDenial = { allow: false; reason: DenialReason; message: string };
/**
 * Whether someone may sign in or stay signed in. `as` is why:
 * - `admin`: an administrator
 * - `contact`: the CRM lets them in
 * - `known`: in the CRM's grace, or known here while no CRM decides
 */
export type AccessDecision = { allow: true; as: 'admin' | 'contact' | 'known' } | AccessDenial;
/** How someone who may sign in gets in. */
export type Admission = { allow: true; role: 'user' | 'admin' } | AccessDenial;
