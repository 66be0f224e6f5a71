import { ACCOUNT } from './states/account.ts';
import { ADMINISTRATION } from './states/admin.ts';
import { CALLS } from './states/calls.ts';
import { ONE_LIST } from './states/list.ts';
import { LISTS } from './states/lists.ts';
import { PAID_WORK } from './states/paid-work.ts';
import { SHELL } from './states/shell.ts';
import { SIGNED_OUT } from './states/signed-out.ts';
import type { State } from './states/state.ts';
import { WEBSITES } from './states/websites.ts';
import { WORK } from './states/work.ts';

/** Every screen in every state, in the order in which they are taken. */
export const STATES: readonly State[] = [
  ...SIGNED_OUT,
  ...LISTS,
  ...WORK,
  ...ONE_LIST,
  ...ACCOUNT,
  ...SHELL,
  ...PAID_WORK,
  ...CALLS,
  ...WEBSITES,
  ...ADMINISTRATION,
];
