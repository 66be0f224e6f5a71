import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type MailServer, startMailServer } from '#test/servers/mail-server.ts';
import type { KeptMail } from './mail.ts';
import { createMailer, linksOf } from './mailer.ts';
import { KEPT_MAILS, readMails } from './outbox.ts';

const LINK = 'http://localhost:3000/auth/v1/verify?token=abc&type=magiclink';
const MAIL = {
  to: 'ann@people.example',
  subject: 'Sign in to Fairlead – é 🥐',
  text: `Open ${LINK}, please.\nOr type 123456.`,
  html: `<a href="${LINK.replaceAll('&', '&amp;')}">Sign in</a> <a href="http://site.example/">Site</a>`,
};
const FROM = 'Fairlead <no-reply@fairlead.example>';

describe('the outbox', () => {
  let folder: string;
  let outboxDir: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fairlead-mail-'));
    outboxDir = join(folder, 'outbox');
  });
  afterEach(() => rm(folder, { recursive: true }));

  test('keeps a mail as it would have been sent, and what is in it', async () => {
    const heard: KeptMail[] = [];
    await createMailer({ from: FROM, outboxDir, onMail: (mail) => heard.push(mail) }).send(MAIL);
    const [kept, ...others] = await readMails(outboxDir);
    expect(others).toEqual([]);
    expect(kept).toEqual({
      ...MAIL,
      links: [LINK, 'http://site.example/'],
      sentAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(heard).toEqual([kept]);
    const files = await readdir(outboxDir);
    const eml = files.find((name) => name.endsWith('.eml')) ?? '';
    const message = await readFile(join(outboxDir, eml), 'utf8');
    expect(message).toContain('From: Fairlead <no-reply@fairlead.example>\r\n');
    expect(message).toContain('To: ann@people.example\r\n');
    expect(message).toContain('multipart/alternative');
    expect((await stat(join(outboxDir, eml))).mode & 0o077).toBe(0);
    expect((await stat(outboxDir)).mode & 0o077).toBe(0);
  });

  test('is empty before the first mail, and shows the newest first', async () => {
    expect(await readMails(outboxDir)).toEqual([]);
    const mailer = createMailer({ from: FROM, outboxDir });
    for (const subject of ['one', 'two', 'three']) {
      await mailer.send({ ...MAIL, subject });
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    expect((await readMails(outboxDir)).map(({ subject }) => subject)).toEqual(['three', 'two', 'one']);
    expect((await readMails(outboxDir, 1)).map(({ subject }) => subject)).toEqual(['three']);
  });

  test('removes the oldest beyond its limit, passes over damaged ones and leaves strangers’ files alone', async () => {
    const mailer = createMailer({ from: FROM, outboxDir });
    await mailer.send(MAIL);
    const name = (n: number, ending: string) =>
      `2020-01-01T00-00-00-${String(n).padStart(3, '0')}Z-000000000000.${ending}`;
    for (let n = 0; n < KEPT_MAILS; n += 1) {
      await writeFile(
        join(outboxDir, name(n, 'json')),
        n === 7 ? '{' : JSON.stringify({ ...MAIL, subject: `old ${n}` }),
      );
      await writeFile(join(outboxDir, name(n, 'eml')), '');
    }
    await writeFile(join(outboxDir, 'notes.json'), 'mine');
    await mailer.send({ ...MAIL, subject: 'new' });
    const files = await readdir(outboxDir);
    expect(files.filter((file) => file.endsWith('.eml'))).toHaveLength(KEPT_MAILS);
    expect(files).not.toContain(name(0, 'json'));
    expect(files).not.toContain(name(1, 'eml'));
    expect(files).toContain(name(2, 'json'));
    expect(files).toContain('notes.json');
    const mails = await readMails(outboxDir);
    expect(mails).toHaveLength(KEPT_MAILS - 1);
    expect(mails[0]?.subject).toBe('new');
  });

  test.each([
    { to: 'ann@people.example\r\nBcc: eve@people.example' },
    { to: 'ann@people.example, eve@people.example' },
    { to: 'Ann <ann@people.example>' },
    { to: '' },
    { subject: 'Hello\r\nBcc: eve@people.example' },
    { subject: 'Hello\u0000' },
  ])('refuses %j', async (part) => {
    await expect(createMailer({ from: FROM, outboxDir }).send({ ...MAIL, ...part })).rejects.toThrow(/mail/);
    expect(await readMails(outboxDir)).toEqual([]);
  });
});

describe('SMTP', () => {
  let server: MailServer;
  beforeAll(async () => {
    server = await startMailServer();
  });
  afterAll(() => server.close());

  test('hands the mail to the server', async () => {
    const mailer = createMailer({ smtpUrl: server.url, from: FROM });
    await mailer.send(MAIL);
    mailer.close();
    expect(server.received).toHaveLength(1);
    expect(server.received[0]).toContain('To: ann@people.example');
    expect(server.received[0]).toContain('Subject: =?UTF-8?');
  });

  test('fails when the server refuses or is not there', async () => {
    const mailer = createMailer({ smtpUrl: server.url, from: FROM });
    await expect(mailer.send({ ...MAIL, to: 'nobody@people.example' })).rejects.toThrow('no such person');
    mailer.close();
    const nowhere = createMailer({ smtpUrl: 'smtp://127.0.0.1:1', from: FROM });
    await expect(nowhere.send(MAIL)).rejects.toThrow('ECONNREFUSED');
    nowhere.close();
  });

  test.each(['', '?requireTLS=false', '?ignoreTLS=true', '?opportunisticTLS=true'])(
    'nothing goes unencrypted to another machine unless that is allowed: smtp://…%s',
    async (query) => {
      // Reaches this machine by an address that is not its own.
      const smtpUrl = server.url.replace('127.0.0.1', '0.0.0.0') + query;
      const sent = server.received.length;
      const mailer = createMailer({ smtpUrl, from: FROM });
      await expect(mailer.send(MAIL)).rejects.toThrow(/STARTTLS|TLS/);
      mailer.close();
      expect(server.received).toHaveLength(sent);
      const allowed = createMailer({ smtpUrl, from: FROM, allowPlain: true });
      if (query === '') await allowed.send(MAIL);
      allowed.close();
      expect(server.received).toHaveLength(sent + (query === '' ? 1 : 0));
    },
  );

  test('says so when there is neither a server nor an outbox', async () => {
    await expect(createMailer({ from: FROM }).send(MAIL)).rejects.toThrow('SMTP_URL is not set');
  });
});

test('links are found in text and HTML, each once, without the punctuation around them', () => {
  const text = 'See (http://a.example/x). Then https://b.example/?q=1&r=2! And javascript:alert(1)';
  const html = '<a href="https://b.example/?q=1&amp;r=2">b</a><a href="javascript:alert(1)">c</a>';
  expect(linksOf({ text, html })).toEqual(['http://a.example/x', 'https://b.example/?q=1&r=2']);
});
