import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findAddresses } from './find-addresses.ts';
import { harvestingNotice } from './harvesting-notice.ts';
import { readPage } from './read-page.ts';
import { findProfiles } from './social-profiles.ts';

const emails = (html: string, domain = 'firm.example') => [
  ...new Set(findAddresses(readPage(html), domain).map(({ email }) => email)),
];
const encoded = (email: string, key = 0x5a) =>
  [key, ...Buffer.from(email).map((byte) => byte ^ key)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

test.each([
  ['<a href="mailto:Info@Firm.example?subject=Hi%20there">Write</a>', ['info@firm.example']],
  ['<a href="MAILTO:%20joe%40firm.example">x</a>', ['joe@firm.example']],
  ['<a href="mailto:a@firm.example,b@firm.example">x</a>', ['a@firm.example', 'b@firm.example']],
  ['<a href="mailto:Joe%20%3Cjoe@firm.example%3E">x</a>', ['joe@firm.example']],
  ['<a href="mailto:info@firm.example%">x</a>', []],
  [
    `<a href="/cdn-cgi/l/email-protection#${encoded('cf@firm.example')}">[email&#160;protected]</a>`,
    ['cf@firm.example'],
  ],
  [`<span class="__cf_email__" data-cfemail="${encoded('cf@firm.example', 9)}">x</span>`, ['cf@firm.example']],
  ['&#105;nfo&#64;firm&period;example', ['info@firm.example']],
  ['&#x69;nfo&commat;firm.example', ['info@firm.example']],
  ['Mail info@firm.example.', ['info@firm.example']],
  ['Mail info@firm.example.Call us', ['info@firm.example']],
  ['<b>info</b>@<b>firm</b>.example', ['info@firm.example']],
  ['info<!-- no robots -->@firm.example', ['info@firm.example']],
  ['info<span style="display: none">NOSPAM</span>@firm.example', ['info@firm.example']],
  ['<p>info</p>@firm.example', []],
  ['info [at] firm [dot] example', ['info@firm.example']],
  ['info (at) firm.example', ['info@firm.example']],
  ['info{at}firm{dot}example', ['info@firm.example']],
  ['info at firm dot example', ['info@firm.example']],
  ['info @ firm dot example', []],
  ['info@firm [dot] example', ['info@firm.example']],
  ['Visit us at firm dot example', []],
  ['We are at firm.example', []],
  ['<script type="application/ld+json">{"@graph":[{"email":"mailto:ld@firm.example"}]}</script>', ['ld@firm.example']],
  ['<script type="application/ld+json">{"email": "broken@firm.example"</script>', []],
  ['<script>var mail = "script@firm.example"</script>', []],
  ['<input placeholder="you@firm.example"><textarea>t@firm.example</textarea>', []],
  ['<div hidden>trap@firm.example</div>', []],
  ['<img src="logo@2x.png"> logo@2x.png', []],
  ['user@example.com name@yourdomain.com you@firm.example first.last@firm.example', []],
  ['4f3c2b1a4f3c2b1a4f3c2b1a4f3c2b1a@o1.ingest.sentry.io x@sentry.wixpress.com', []],
  ['noreply@firm.example', []],
  ['a@b c@d.unknowntld', []],
  ['x@firm.example', ['x@firm.example']],
  ['joe@gmail.com', ['joe@gmail.com']],
])('%s', (html, expected) => {
  expect(emails(html)).toEqual(expected);
});

test('a page is read until its elements are too deep within each other', () => {
  const page = `<p>before@firm.example</p>${'<b>'.repeat(100_000)}behind@firm.example`;
  expect(emails(page)).toEqual(['before@firm.example']);
});

test('never throws, and never makes up an address', () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom(
      '<a href="mailto:',
      '">',
      '<p>',
      '</p>',
      '@',
      ' [at] ',
      ' dot ',
      '.',
      'firm.example',
      '<script>',
      '<!--',
      '&#64;',
      '%40',
      'info',
      '<div hidden>',
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const html = pieces.join('');
      const plain = `${html}\n${decodeAll(html)}`.toLowerCase();
      for (const { email } of findAddresses(readPage(html), 'firm.example')) {
        const [local = '', host = ''] = email.split('@');
        // Its parts stand there: what only spelling or tags divide is joined, and nothing else is.
        expect(plain).toContain(local.slice(0, 1));
        for (const label of host.split('.')) expect(plain).toContain(label);
      }
    }),
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2_000 }), (bytes) => {
      readPage(Buffer.from(bytes).toString('utf8'));
    }),
  );
});

const decodeAll = (html: string) => html.replaceAll('&#64;', '@').replaceAll('%40', '@');

test.each([
  'You may not harvest email addresses from this site.',
  'Automated collection of e-mail addresses from this website is prohibited.',
  'We will not give, sell, or otherwise transfer addresses maintained by this website to any other party for the purposes of initiating electronic mail messages.',
  'Scraping of contact information without our written permission is not allowed here.',
  'Use of our email addresses to send unsolicited advertising is not permitted.',
  'Der Nutzung der veröffentlichten Kontaktdaten durch Dritte zur Übersendung von Werbung wird hiermit ausdrücklich widersprochen.',
])('a notice: %s', (words) => {
  expect(harvestingNotice(`Welcome.\n${words}\nBye.`)).toBe(words);
});

test.each([
  'We collect grapes by hand. Email us for a tour.',
  'Please do not hesitate to email us.',
  'We do not collect your email address unless you give it to us.',
  'You may not park here. Call or email the office.',
  'Our harvest dinner is in October: reserve by email.',
])('no notice: %s', (words) => {
  expect(harvestingNotice(words)).toBeUndefined();
});

test('profiles are those of the firm, not links to share', () => {
  const page = readPage(
    `<a href="https://www.facebook.com/acme/">f</a><a href="https://www.facebook.com/sharer.php?u=x">s</a>
     <a href="https://twitter.com/intent/tweet">t</a><a href="https://www.linkedin.com/company/acme">l</a>
     <script type="application/ld+json">{"sameAs":["https://instagram.com/acme"]}</script>`,
  );
  expect(findProfiles(page)).toEqual([
    'https://facebook.com/acme',
    'https://linkedin.com/company/acme',
    'https://instagram.com/acme',
  ]);
});
