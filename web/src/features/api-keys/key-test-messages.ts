import { ApiError } from '#web/lib/backend/api-error.ts';

/** Why a key could not be tested, in the words of spec section 8; each has a cause of its own. */
export function keyTestErrorText(error: unknown, online: boolean): string {
  if (!(error instanceof ApiError)) return 'Unable to test API key. Please try again.';
  switch (error.kind) {
    case 'unauthenticated':
      return error.message;
    case 'network':
      return online
        ? 'Network error occurred. Please try again.'
        : 'Network error. Please check your internet connection.';
    case 'non_json':
      return error.status >= 400 ? `HTTP ${error.status}` : 'Server returned invalid response. Please try again.';
    case 'invalid_json':
      return 'Server returned an invalid response. Please try again.';
    case 'http':
      return error.serverMessage ?? 'Failed to test API key';
  }
}

/**
 * Why a key that was tested is not good; undefined for one that is. `save`: a new key that should be stored now, otherwise
 * the stored one was tested.
 */
export function keyTestRefusalText(
  answer: { valid: boolean; error?: string | null | undefined; saved: boolean },
  save: boolean,
): string | undefined {
  if (!answer.valid) return answer.error || (save ? 'API key test failed' : 'Connection test failed');
  return save && !answer.saved ? 'The key works but could not be saved. Please try again.' : undefined;
}
