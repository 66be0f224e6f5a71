import type { DenialReason } from '#contract/access/precheck.ts';

/** `message` is shown to the person as it is. */
export type AccessDenial = { allow: false; reason: DenialReason; message: string };
/**
 * Whether somebody may sign in or stay signed in. `as` is why: an administrator, somebody whom the CRM lets in, somebody who is in
 * the CRM's grace, or somebody known here while no CRM decides.
 */
export type AccessDecision = { allow: true; as: 'admin' | 'contact' | 'known' } | AccessDenial;
/** How somebody who may sign in gets in. */
export type Admission = { allow: true; role: 'user' | 'admin' } | AccessDenial;
