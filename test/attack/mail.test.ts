import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMailer } from '#server/mail/mailer.ts';
import { type MailServer, startMailServer } from '#test/servers/mail-server.ts';

let server: MailServer;
beforeAll(async () => {
  server = await startMailServer();
});
afterAll(() => server.close());

const MAIL = { to: 'kim@people.example', subject: 'Hello', text: 'Hello.', html: '<p>Hello.</p>' };
const HEADERS = ['From', 'To', 'Subject', 'Message-ID', 'Date', 'MIME-Version', 'Content-Type'].sort();

/** The names of a mail's headers; a folded line belongs to the one before. */
const headersOf = (mail: string) =>
  [...(mail.split('\r\n\r\n', 1)[0] ?? '').matchAll(/^([!-9;-~]+):/gm)].map(([, name]) => name).sort();

const LINES = ['\r\n', '\n', '\r', '\0', '\u0085', '\v', '\f'];
const NEWS = [
  'Bcc: eve@evil.example',
  'Content-Type: text/html',
  '\r\n<script>alert(1)</script>',
  '.\r\nMAIL FROM:<eve@evil.example>',
];

test.each(LINES.flatMap((line) => NEWS.map((text) => `${line}${text}`)))(
  'no mail has a header of its own: %j',
  async (more) => {
    const mailer = createMailer({ smtpUrl: server.url, from: 'Fairlead <no-reply@fairlead.example>' });
    for (const change of [
      { to: `${MAIL.to}${more}` },
      { to: `${more}${MAIL.to}` },
      { to: `"${more}" <${MAIL.to}>` },
      { subject: `Hello${more}` },
    ])
      await expect(mailer.send({ ...MAIL, ...change })).rejects.toThrow(/one address|one line/);
    mailer.close();
    expect(server.received).toEqual([]);
  },
);

test.each([
  'kim@people.example,eve@evil.example',
  'kim@people.example; eve@evil.example',
  'Kim <kim@people.example>, eve@evil.example',
  'group: kim@people.example, eve@evil.example;',
  'kim@people.example eve@evil.example',
  '<kim@people.example> SIZE=1',
  '',
])('a mail goes to one mailbox: not to %j', async (to) => {
  const mailer = createMailer({ smtpUrl: server.url, from: 'no-reply@fairlead.example' });
  await expect(mailer.send({ ...MAIL, to })).rejects.toThrow('exactly one address');
  mailer.close();
});

test('what a mail says stays what it says', async () => {
  const mailer = createMailer({ smtpUrl: server.url, from: 'no-reply@fairlead.example' });
  const text = 'Bcc: eve@evil.example\r\n\r\n.\r\nMAIL FROM:<eve@evil.example>\r\n';
  await mailer.send({ ...MAIL, subject: '=?utf-8?q?a?=: b <eve@evil.example>, ü', text, html: text });
  mailer.close();
  expect(server.received.map(headersOf)).toEqual([HEADERS]);
});
