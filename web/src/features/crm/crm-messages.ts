import { CRM_CONNECT_FAILURES, type CrmConnectFailure } from '#contract/admin/crm.ts';
import { ApiError, errorMessage } from '#web/lib/backend/api-error.ts';

/** Why a call about the CRM failed, in the words of spec section 8. */
export function crmErrorText(error: unknown): string {
  if (!(error instanceof ApiError)) return errorMessage(error);
  switch (error.kind) {
    case 'non_json':
      return 'The server returned a web page instead of data. If this site has deployment protection, sign in to it first or turn it off for /api. Then try again.';
    case 'invalid_json':
      return 'Invalid JSON response from server';
    case 'http':
      return error.serverMessage ?? 'Unknown error';
    case 'network':
    case 'unauthenticated':
      return error.message;
  }
}

/** Whether an answer about contacts or tags says that the grant is missing or has ended, so that only connecting mends it. */
export const wantsConnection = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'CONFLICT' || error.code === 'PROVIDER_BAD_CREDENTIALS');

const FAILURES: Record<CrmConnectFailure, string> = {
  denied: 'Keap did not grant access. Connect again and choose Allow.',
  expired: 'This attempt expired or was already used. Connect again.',
  session: 'You started this in another browser or tab, or in a session that has ended. Connect again from here.',
  credentials: 'The credentials were changed in the meantime. Connect again with the new ones.',
  refused: 'Keap did not accept the Client ID and Client Secret. Check them, save them and connect again.',
  unreachable: 'Keap could not be reached. Try again in a few minutes.',
};

/** Why connecting failed, by the code in the address. Never what the address says: anyone can write a link. */
export function connectFailureText(code: string | null): string {
  const known = CRM_CONNECT_FAILURES.find((failure) => failure === code);
  return known ? FAILURES[known] : 'Unknown error';
}
