import type { DenialReason } from '#contract/auth.ts';

/** `message` is shown to the person as it is. */
export type AccessDenial = { allow: false; reason: DenialReason; message: string };
/** Whether somebody may sign in or stay signed in. */
export type AccessDecision = { allow: true } | AccessDenial;
/** How somebody who may sign in gets in. */
export type Admission = { allow: true; role: 'user' | 'admin' } | AccessDenial;
