import { z } from 'zod/mini';

/** `GET /config.json`: what a client has to know before it can do anything. */
export const AppConfig = z.object({
  /** Origin that answers /auth/v1 and /rest/v1. */
  backendUrl: z.string().check(z.minLength(1)),
  /** The backend's publishable key: identifies the application, opens nothing. */
  backendKey: z.string().check(z.minLength(1)),
  /** Whether provider keys that start with `sandbox` work. */
  sandbox: z._default(z.boolean(), false),
  /** Whether mail is kept at /outbox instead of being sent. */
  mailbox: z._default(z.boolean(), false),
  /** Where Support leads: a mailto: or https: address. */
  supportUrl: z._default(z.string(), 'mailto:support@fairlead.example'),
});
export type AppConfig = z.infer<typeof AppConfig>;
