import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contactLinks } from './contact-links.ts';
import { findAddresses, writings } from './find-addresses.ts';
import { harvestingNotice } from './harvesting-notice.ts';
import { findPhones } from './phone-numbers.ts';
import { readPage } from './read-page.ts';
import { findProfiles } from './social-profiles.ts';
import { readStructured } from './structured-data.ts';

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
  ['<p>Call us.</p><p>info at firm dot example</p><p>Or visit us.</p>', ['info@firm.example']],
  ['Email: info at firm dot example', ['info@firm.example']],
  ['Call us, or e-mail info at firm dot example.', ['info@firm.example']],
  ['You can write to desk at firm dot example today', ['desk@firm.example']],
  ['Contact: desk at firm dot example', ['desk@firm.example']],
  ['<p>Email us at <b>desk</b> at firm dot example</p>', ['desk@firm.example']],
  ['Our chef: joe (at) firm.example', ['joe@firm.example']],
  ['Write to team [at] firm [dot] example', ['team@firm.example']],
  ['Find us (at) firm.example', []],
  ['Every Saturday [at] firm.example', []],
  ['Yoga classes (at) firm.example', []],
  ['Open 9 (at) firm.example', []],
  ['<a href="mailto://info@firm.example&subject=Hi">x</a>', ['info@firm.example']],
  ['%20info@firm.example your@firm.example test@firm.example', ['info@firm.example']],
  ['Order takeout at firm dot example', []],
  ['Follow our blog at firm dot example', []],
  ['Contact sales at firm dot example', []],
  ['Read reviews at firm dot example and more', []],
  ['<p>Takeout at firm dot example is open</p>', []],
  ['Email marketing at firm dot example', []],
  ['Our gmail address book is at firm dot example', []],
  ['info @ firm dot example', []],
  ['info@firm [dot] example', ['info@firm.example']],
  ['Visit us at firm dot example', []],
  ['We are at firm.example', []],
  ['<script type="application/ld+json">{"@graph":[{"email":"mailto:ld@firm.example"}]}</script>', ['ld@firm.example']],
  ['<script type="application/ld+json">{"email": "broken@firm.example"</script>', []],
  ['<script>var mail = "script@firm.example"</script>', []],
  ['<input placeholder="you@firm.example"><textarea>t@firm.example</textarea>', []],
  ['<div hidden>trap@firm.example</div>', []],
  ['<div style="position:absolute; left:-9999px">trap@firm.example</div>', []],
  ['<div style="position: absolute; top: -250px"><a href="mailto:trap@firm.example">x</a></div>', []],
  ['<div style="margin-left: -480px">info@firm.example</div>', ['info@firm.example']],
  ['<span style="unicode-bidi:bidi-override; direction: rtl">moc.elpmaxe@mrif.ofni</span>', []],
  ['<bdo dir="rtl">ten.elpmaxe@mrif.ac</bdo>', []],
  ['<img src="logo@2x.png"> logo@2x.png', []],
  ['user@example.com name@yourdomain.com you@firm.example first.last@firm.example', []],
  ['4f3c2b1a4f3c2b1a4f3c2b1a4f3c2b1a@o1.ingest.sentry.io x@sentry.wixpress.com', []],
  ['noreply@firm.example no_reply@firm.example no.reply@firm.example noreply2@firm.example', []],
  ['do_not_reply@firm.example wordpress-noreply@firm.example bounce@firm.example', []],
  ['infoNOSPAM@firm.example joe@nospam.firm.example pat@REMOVETHISfirm.example', []],
  ['info@example.co.uk hello@reallygreatsite.com info@yourstore.com mail@businessname.net x@your-domain.org', []],
  ['flastname@firm.example first.initial.lastname@firm.example name.surname@firm.example', []],
  ['Order online@ firm.example', []],
  ['<a href="mailto:inforemove-this@firm.example">x</a>', []],
  ['info [@] firm.example, desk(@)firm[dot]example', ['info@firm.example', 'desk@firm.example']],
  ['a@b c@d.unknowntld', []],
  ['x@firm.example', ['x@firm.example']],
  ['joe@gmail.com', ['joe@gmail.com']],
  ['Mail info@bücher.com today', ['info@xn--bcher-kva.com']],
  ['Mail info@münchen-pizza.de.Über uns', ['info@xn--mnchen-pizza-dlb.de']],
  ['<a href="mailto:info@bücher.com">x</a>', ['info@xn--bcher-kva.com']],
  ['<a href="mailto:info@b%C3%BCcher.com">x</a>', ['info@xn--bcher-kva.com']],
  ['info [at] bücher [dot] com', ['info@xn--bcher-kva.com']],
  ['почта: info@пример.рф', ['info@xn--e1afmkfd.xn--p1ai']],
  ['メールはinfo@firm.comまで', ['info@firm.com']],
  ['info@example\u200b.net x@firm\u00ad.example', ['x@firm.example']],
  [
    '<script type="application/ld+json">{"email":["a@firm.example","mailto:b@firm.example",1]}</script>',
    ['a@firm.example', 'b@firm.example'],
  ],
])('%s', (html, expected) => {
  expect(emails(html)).toEqual(expected);
});

test('a firm may be called what templates write for a domain', () => {
  expect(emails('info@mystore.com', 'mystore.com')).toEqual(['info@mystore.com']);
  expect(emails('info@mystore.com info@mystorefront.com')).toEqual(['info@mystorefront.com']);
});

test('a page is read until its elements are too deep within each other', () => {
  const page = `<p>before@firm.example</p>${'<b>'.repeat(100_000)}behind@firm.example`;
  expect(emails(page)).toEqual(['before@firm.example']);
  const closing = `<p>before@firm.example</p>${'<b>'.repeat(900)}${'</i>'.repeat(100_000)}behind@firm.example`;
  expect(emails(closing)).toEqual(['before@firm.example']);
});

/** Pages that are made to take long, each of them half a MiB. */
const fill = (piece: string) => piece.repeat(Math.ceil(524_288 / piece.length));
const jsonLd = (text: string) => `<script type="application/ld+json">${text}</script>`;
const HOSTILE = [
  ...['@', 'a@', 'a@b.c.', 'x [at] y [dot] ', ' at ', 'a at b dot c ', `${'a'.repeat(64)}@${'b.'.repeat(100)}`].map(
    fill,
  ),
  ...['mailto:', '<', '&', '&#64;', 'a&commat;b.', '<a href="mailto:a@b.example">x</a>'].map(fill),
  ...['<br data-cfemail="5a3b1a38743f223b372a363f">', '<a href="/cdn-cgi/l/email-protection#5a3b1a38"></a>'].map(fill),
  `<a href="mailto:${fill('a@b.example,')}">x</a>`,
  jsonLd(`{"email":[${fill('"a@b.example",')}"x"]}`),
  jsonLd(`${'{"email":["a@b.example"],"a":'.repeat(18_000)}1${'}'.repeat(18_000)}`),
  fill(jsonLd('{"email":"a@b.example"}')),
];

test.each(HOSTILE.map((html) => [html.slice(0, 60), html]))(
  'a page of nothing but %s is looked at a few thousand times',
  (_, html) => {
    let looks = 0;
    let longest = 0;
    for (const { ways, before } of writings(readPage(html), 'firm.example')) {
      looks += 1;
      for (const [, text] of ways) longest = Math.max(longest, text.length + before.length);
    }
    expect(looks).toBeLessThanOrEqual(5_000);
    expect(longest).toBeLessThan(1_000);
  },
);

test('data on a page is taken up to a limit, and what is deep or broken in it does no harm', () => {
  const structured = (text: string) => readStructured(readPage(text));
  expect(structured(jsonLd(`{"telephone":[${fill('"1",')}"x"]}`)).phones).toHaveLength(200);
  expect(structured(jsonLd(`[${fill('{"sameAs":"x"},')}1]`)).profiles).toHaveLength(200);
  expect(structured(jsonLd(fill('['))).emails).toEqual([]);
  expect(structured(jsonLd(`${'['.repeat(200_000)}${']'.repeat(200_000)}`)).emails).toEqual([]);
  expect(readPage(fill(jsonLd('{'))).jsonLd).toHaveLength(100);
  const page = readPage(jsonLd('{"email":"a@firm.example"}'));
  expect(readStructured(page)).toBe(readStructured(page));
});

test('a base that no page could stand below does not lengthen each link', () => {
  const links = '<a href="/contact">Contact</a>'.repeat(2_000);
  const page = readPage(`<base href="https://firm.example/${fill('a')}">${links}`);
  const found = contactLinks(page, new URL('https://firm.example/'));
  expect(found).toHaveLength(2_000);
  expect(Math.max(...found.map(({ url }) => url.href.length))).toBeLessThan(100);
});

test('labels of links are kept up to a limit', () => {
  const [link] = readPage(`<a href="mailto:a@firm.example" aria-label="${fill('website by ')}">${fill('x')}</a>`).links;
  expect(link?.text.length).toBeLessThanOrEqual(402);
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
  'E-mail address harvesting is strictly prohibited.',
  'Email harvesting is prohibited.',
  'No email harvesting!',
  'Email addresses on this site may not be harvested.',
  'Collecting email addresses from this site by bots is prohibited.',
  'It is forbidden to collect e-mail addresses from this page.',
  'Unauthorized harvesting of email addresses is a violation of law.',
  'Harvesting of e-mails from our pages violates our terms of use.',
  'Email addresses may not be used for unsolicited advertising.',
  'The addresses on this website are not to be used for advertising.',
  'Advertising to our e-mail addresses is expressly forbidden.',
  'Do not harvest, scrape or collect the e-mail addresses shown here.',
  'Robots and other software must not extract contact details from these pages.',
  'By using this website you agree not to harvest or collect email addresses of our staff.',
  'We prohibit the harvesting of email addresses.',
  'We do not permit anyone to collect e-mail addresses from this site.',
  'We do not consent to the use of our contact details for unsolicited advertising.',
  'Spam bots are prohibited from gathering any email address published here.',
  'We will not give, sell or transfer addresses to anyone for the purpose of sending email.',
  'We will not give, sell or transfer addresses maintained by this website to any other party for the purpose of marketing.',
  'We will not, under any circumstances, sell e-mail addresses shown on our site to others to send unsolicited e-mail.',
  'Addresses on this site will not be given, sold or transferred to others for the purpose of initiating e-mail.',
  'The use of contact data published in this imprint by third parties for sending advertising is hereby expressly objected to.',
  'Queda prohibido recopilar direcciones de correo electrónico de este sitio web.',
  'Der Nutzung der veröffentlichten Kontaktdaten durch Dritte zur Übersendung von Werbung wird hiermit ausdrücklich widersprochen.',
])('a notice: %s', (words) => {
  expect(harvestingNotice(`Welcome.\n${words}\nBye.`)).toBe(words);
});

test('a notice is seen wherever it stands, in a sentence of any length', () => {
  const words = 'You may not harvest email addresses from this site.';
  const far = harvestingNotice(`${'Our shop sells bread.\n'.repeat(50_000)}${words}`);
  expect(far).toBe(words);
  const long = harvestingNotice(`${'bread and cake and '.repeat(200)}${words}`);
  expect(long).toBe(words.replace('You ', ''));
  expect(harvestingNotice(`You may not harvest.${' bread'.repeat(40)} addresses`)).toBeUndefined();
  expect(harvestingNotice(`You may not harvest${' bread'.repeat(40)} addresses`)).toBeUndefined();
});

test.each([
  'addresses spider ',
  'robot copy email\n',
  'spam email may not. ',
  'not sell ',
  'will not give addresses ',
  'address of from by ',
  'addresses a b ',
  'for a purpose of ',
  'lower\n\nand ',
  'we never harvest addresses, illegal\n',
])('however often in no order that makes a notice: %j', (piece) => {
  expect(harvestingNotice(fill(piece))).toBeUndefined();
});

test.each([
  'Prohibido fumar. Su correo electrónico no se vende.',
  'We collect grapes by hand. Email us for a tour.',
  'Please do not hesitate to email us.',
  'We do not collect your email address unless you give it to us.',
  'You may not park here. Call or email the office.',
  'Our harvest dinner is in October: reserve by email.',
  'Dogs are not allowed at our harvest dinner; email us to reserve.',
  'We never harvest or sell your email address.',
  'We do not harvest email addresses.',
  'We never harvest email addresses, which is illegal.',
  'Our company does not scrape email addresses from other websites.',
  'We will never use automated tools to collect email addresses.',
  'We do not automatically collect contact information such as email addresses from this site.',
  'Your email address may not be sold or used for unsolicited advertising.',
  'We do not use email addresses for unsolicited advertising.',
  'We may use email addresses for advertising unless you do not consent.',
  'We do not email advertisements without your consent.',
  'If you do not want us to use your e-mail address for advertising, call us.',
  'We do not knowingly collect email addresses from children under 13 on this website.',
  'The harvest may not be early this year; our contact information is below.',
  'No spam, no harvesting: your email address stays private.',
  'Email addresses collected on this site will not be used for advertising.',
  'Crawl space inspections cannot be booked by email.',
  'Spider bites may not hurt at first. Find our contact information here.',
  'Please do not send medical questions by email.',
  'We will not sell your data.',
  'We will not give, sell or transfer your email address to any other party for the purpose of sending email.',
  'We do not sell or share email addresses with third parties for marketing purposes.',
  'We do not sell, rent or share e-mail addresses of our customers for unsolicited e-mail.',
  'We do not sell or rent email addresses, and we only send emails that you asked for.',
  'If you do not provide email addresses, we cannot send a confirmation.',
  'We do not give the email addresses that you enter to anyone for the purpose of sending email.',
  'We will not release records to addresses on this site for business reasons.',
  'Our addresses are shown on the map; parking is not allowed.',
])('no notice: %s', (words) => {
  expect(harvestingNotice(words)).toBeUndefined();
});

test.each([
  ['Call us: (217) 555-0101', ['(217) 555-0101']],
  ['<a href="tel:+12175550101">217-555-0101</a> or 217.555.0103', ['+12175550101', '217.555.0103']],
  ['<p>Tel. 217-555-0101</p><p>Fax: 217-555-0102</p>', ['217-555-0101']],
  ['<td>Phone</td><td>217-555-0101</td><td>Fax</td><td>217-555-0102</td>', ['217-555-0101']],
  [
    '<table><tr><th>Phone<td>217-555-0101<tr><th>Fax:<td><a href="tel:2175550102">217-555-0102</a></table>',
    ['217-555-0101'],
  ],
  [
    `<table><tr><th>Office</th><th>Main</th><th>Fax</th></tr><tr><td>Springfield</td><td>217-555-0101</td><td>217-555-0102</td></tr>
     <tr><td>Peoria</td><td><a href="tel:309-555-0103">call</a></td><td>309-555-0104</td></tr></table>`,
    ['309-555-0103', '217-555-0101'],
  ],
  [
    '<table><tr><td>Fax</td><td>217-555-0102</td></tr><tr><td>Office</td><td>217-555-0101</td></tr></table>',
    ['217-555-0101'],
  ],
  ['<dl><dt>Tel<dd>217-555-0101<dt>Telefax<dd>217-555-0102</dl>', ['217-555-0101']],
  ['<div>Fax</div><div>217-555-0102</div><div>Office</div><div>217-555-0101</div>', ['217-555-0101']],
  ['P: 217-555-0101 F: 217-555-0102', ['217-555-0101']],
  ['<p>P: <a href="tel:2175550101">call</a></p><p>F: <a href="tel:2175550102">fax</a></p>', ['2175550101']],
  [
    '<p>T 217-555-0101 | F 217-555-0102</p><p>Suite F: 217-555-0103, Halifax 217-555-0104</p>',
    ['217-555-0101', '217-555-0103', '217-555-0104'],
  ],
  ['<p>217-555-0102 (fax)</p><p>217-555-0101 Fax: 217-555-0103</p>', ['217-555-0101']],
  [
    '<a href="tel:217-555-0102">Fax: 217-555-0102</a> <a href="tel:217-555-0101">Faxes, and calls</a>',
    ['217-555-0101'],
  ],
  ['London: +44 20 7946 0958', ['+44 20 7946 0958']],
  ['Order 20261126120400, $1,200.50, 2026-11-26 12:00, 62701-1234', []],
])('phones of %s', (html, expected) => {
  expect(findPhones(readPage(html))).toEqual(expected);
});

test.each(['2175550101 ', '(217) 555-0101\n', '217 555 010\n', '1 ', '1-2-3-4/5.'])(
  'a page of nothing but %j gives few phones',
  (piece) => {
    expect(findPhones(readPage(fill(piece))).length).toBeLessThanOrEqual(1);
  },
);

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
