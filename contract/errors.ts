import { z } from 'zod/mini';

/** The closed list of codes in the `error` field of a refused call, each with its HTTP status. */
export const ERROR_STATUS = {
  BAD_REQUEST: 400,
  MISSING_API_KEY: 400,
  UNAUTHENTICATED: 401,
  OUT_OF_CREDIT: 402,
  FORBIDDEN: 403,
  SECOND_STEP_REQUIRED: 403,
  FRESH_PROOF_REQUIRED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  SANDBOX_MISMATCH: 409,
  QUOTE_CHANGED: 409,
  RUN_CANCELLED: 409,
  BOUND_REACHED: 409,
  BUDGET_EXCEEDED: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  VALIDATION_FAILED: 422,
  UNKNOWN_PLACE: 422,
  PROVIDER_BAD_CREDENTIALS: 422,
  PROVIDER_BAD_CONFIGURATION: 422,
  RATE_LIMITED: 429,
  INTERNAL: 500,
  MAIL_FAILED: 502,
  PROVIDER_FAILED: 502,
  PROVIDER_UNREADABLE: 502,
  PROVIDER_RATE_LIMITED: 503,
  UNAVAILABLE: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** What every refused product call answers. `requestId` finds the matching lines in the server's log. */
export const ErrorBody = z.object({
  success: z.literal(false),
  error: z.string(),
  message: z.string(),
  requestId: z.optional(z.string()),
});
export type ErrorBody = z.infer<typeof ErrorBody>;
