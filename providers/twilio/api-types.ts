import { z } from 'zod/mini';

/** A message that was taken: https://www.twilio.com/docs/messaging/api/message-resource */
export const wireMessage = z.object({
  sid: z.string(),
  status: z.string(),
  error_code: z.nullish(z.union([z.number(), z.string()])),
});

/** Any refusal: https://www.twilio.com/docs/usage/twilios-response */
export const wireFailure = z.object({ code: z.number(), message: z.string() });
