import { Hono } from 'hono';
import { readMails } from '#server/mail/outbox.ts';
import { isLocalCaller } from './is-local-caller.ts';
import { mailboxPage } from './mailbox-page.ts';

/** More would make the page slow; the rest is in /outbox.json. */
const MAILS_ON_PAGE = 100;

/**
 * What the site would have mailed: /outbox for people, /outbox.json for programs, newest first. Everyone on another machine is
 * answered 404, because a mail signs its reader in.
 */
export function createMailbox({ outboxDir }: { outboxDir: string }): Hono {
  const app = new Hono();
  for (const path of ['/outbox', '/outbox.json']) {
    app.use(path, async (c, next) => {
      if (!isLocalCaller(c)) return c.text('Not found', 404);
      c.header('Cache-Control', 'no-store');
      return next();
    });
  }
  app.get('/outbox', async (c) => c.html(mailboxPage(await readMails(outboxDir, MAILS_ON_PAGE))));
  app.get('/outbox.json', async (c) => c.json(await readMails(outboxDir)));
  return app;
}
