import type { Logger } from 'pino';
import { type Sandbox, startSandbox } from '#sandbox/start-sandbox.ts';
import { type Env, outboxOf } from '#server/config/env.ts';
import { keepText } from '#server/mail/text-message.ts';

/** Starts the simulated providers; their text messages go to the mailbox. */
export const startSandboxOf = (env: Env, log: Logger): Promise<Sandbox> =>
  startSandbox({
    port: 0,
    host: '127.0.0.1',
    placesCsv: env.sandboxPlacesCsv,
    onText: (text) =>
      void keepText(outboxOf(env) ?? '', text).catch((error) =>
        log.warn({ err: error }, 'could not keep a text message'),
      ),
  });
