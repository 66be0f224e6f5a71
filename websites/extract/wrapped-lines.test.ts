import { expect, test } from 'vitest';
import { contactLinks } from './contact-links.ts';
import { findAddresses } from './find-addresses.ts';
import { harvestingNotice } from './harvesting-notice.ts';
import { namesBusiness } from './names-business.ts';
import { findPhones } from './phone-numbers.ts';
import { readPage } from './read-page.ts';
import { readStructured } from './structured-data.ts';

const notice = (html: string, isPlain = false) => harvestingNotice(readPage(html, { isPlain }).text);
const GIVES_TO_NO_ONE =
  'The operator of this website will not give, sell, or otherwise transfer addresses maintained by this website to any other party for the purposes of initiating electronic mail messages.';
const GERMAN =
  'Der Nutzung von Kontaktdaten zur Übersendung von nicht ausdrücklich angeforderter Werbung wird hiermit ausdrücklich widersprochen.';
const wrapped = (text: string, by = '\n', width = 40) =>
  text.replace(new RegExp(`(.{${width}}\\S*) `, 'g'), (_, line: string) => `${line}${by}`);

test.each([
  [`<p>${wrapped(GIVES_TO_NO_ONE)}</p>`, GIVES_TO_NO_ONE],
  [`<p>\n      ${wrapped(GIVES_TO_NO_ONE, '\r\n      ')}\n    </p>`, GIVES_TO_NO_ONE],
  [`<div>${wrapped(GIVES_TO_NO_ONE, '<br>')}</div>`, GIVES_TO_NO_ONE],
  [`<p>Welcome.</p><p>${wrapped(GERMAN, ' <br />\n\t')}</p><p>Bye.</p>`, GERMAN],
  [`<p>${wrapped(GERMAN, '&nbsp;\n')}</p>`, GERMAN],
  [`<pre>Welcome.\n\n${wrapped(GERMAN)}\n\nBye.</pre>`, GERMAN],
  [`<div>${wrapped(GIVES_TO_NO_ONE, '<br>\n<br>')}</div>`, GIVES_TO_NO_ONE],
  [`<div>${wrapped(GIVES_TO_NO_ONE, ' <img src="dot.gif" alt=""> ')}</div>`, GIVES_TO_NO_ONE],
  [`<img src="a.gif">${GIVES_TO_NO_ONE}<img src="b.gif">`, GIVES_TO_NO_ONE],
  [`<form><label>${GIVES_TO_NO_ONE.replace('addresses', '<label>addresses</label>')}</label></form>`, GIVES_TO_NO_ONE],
  [
    `<div>${GIVES_TO_NO_ONE.replace('sell, ', 'sell,</div><div>').replace(' to any', '</div><div>to any')}</div>`,
    GIVES_TO_NO_ONE,
  ],
  ['<p><font color="red">Harvesting</font> of <del>e-mail</del> email\naddresses is <u>prohibited</u>.</p>', undefined],
])('a notice whose lines are broken: %j', (html, words) => {
  expect(notice(html)).toBe(words ?? 'Harvesting of e-mail email addresses is prohibited.');
});

test('a notice in plain text ends where an empty line stands', () => {
  expect(notice(`Welcome\r\n\r\n${wrapped(GIVES_TO_NO_ONE, '\r\n')}\r\n\r\nBye`, true)).toBe(GIVES_TO_NO_ONE);
});

test.each([
  '<p>Harvesting</p><p>Addresses</p><p>Prohibited</p>',
  '<ul><li>Harvest dinner\n<li>Email addresses\n<li>Dogs are prohibited</ul>',
  'Our harvest dinner<br><br>Email addresses<br><br>Dogs are prohibited',
  '<ul><li>our harvest dinner</li><li>email addresses</li><li>dogs are not allowed</li></ul>',
])('blocks are no one sentence: %j', (html) => {
  expect(notice(html)).toBeUndefined();
});

const emails = (html: string, isPlain = false) =>
  findAddresses(readPage(html, { isPlain }), 'firm.example').map(({ email }) => email);
test('an address is found across the lines of the source, and not across those that a person sees', () => {
  expect(emails('<p>info [at]\n   firm [dot]\r\nexample</p>')).toEqual(['info@firm.example']);
  expect(emails('<p>Write to info\n@firm.example</p>')).toEqual([]);
  expect(emails('<p>info [at]<br>firm.example</p>')).toEqual([]);
  for (const tag of ['<pre>', '<div style="white-space: pre-line">'])
    expect(emails(`${tag}Order takeout\ndesk at firm dot example\n<b>Bye</b>\ninfo [at]\nfirm.example`)).toEqual([
      'desk@firm.example',
    ]);
  expect(emails('Order takeout\ndesk at firm dot example\nBye', true)).toEqual(['desk@firm.example']);
  expect(emails('<p>Order takeout\ndesk at firm dot example\nBye</p>')).toEqual([]);
});

test('numbers, names and links are found across the lines of the source, and at the end of a long paragraph', () => {
  const paragraph = 'We repair pipes and sinks of all kinds\n'.repeat(80);
  const page = readPage(
    `<p>${paragraph}Call (217)\n555-0101. Joe’s\nPlumbing</p> <a href="/reach">Get\n  in touch</a><p>Fax:\n217-555-0102</p>`,
  );
  expect(findPhones(page)).toEqual(['(217) 555-0101']);
  expect(namesBusiness(page, [{ name: 'Joes Plumbing' }])).toBe(true);
  expect(contactLinks(page, new URL('https://firm.example/')).map(({ url }) => url.pathname)).toEqual(['/reach']);
  expect(namesBusiness(readPage('<p>Joes Plumbing: this\ndomain is for\nsale</p>'), [{ name: 'Joes Plumbing' }])).toBe(
    false,
  );
});

const ITEM = 'harvest or collect email addresses of others;';
test.each([
  [`<p>Terms. You agree not to:</p><ul><li>resell the service;</li><li>${ITEM}</li></ul>`, `You agree not to: ${ITEM}`],
  [
    '<h2>Rules</h2>The following is prohibited:<ol><li>Spam</li><li>Use of robots to gather e-mail addresses</li></ol>',
    'The following is prohibited: Use of robots to gather e-mail addresses',
  ],
])('a notice may be an item of a list: %s', (html, words) => {
  expect(notice(html)).toBe(words);
});

test.each([
  `<p>You may:</p><ul><li>${ITEM}</li></ul>`,
  '<p>We do not:</p><ul><li>collect email addresses by automated means</li></ul>',
  `<p>You agree not to:</p>${'<p>bread</p>'.repeat(30)}<p>A robot to collect the addresses of bakeries.</p>`,
  '<p>You may not:</p><ul><li>park here</li></ul><p>We collect email addresses for our advertising.</p>',
])('a list that is no refusal, or has ended, is no notice: %s', (html) => {
  expect(notice(html)).toBeUndefined();
});

test.each([
  ['<span>Email</span><span>info@firm.example</span>', ['info@firm.example']],
  ['<a href="/call">217-555-0101</a><a href="/write">desk@firm.example</a>', ['desk@firm.example']],
  ['<li>Mail<svg><path/></svg>desk@firm.example</li>', ['desk@firm.example']],
  ['<b>Joe Smith</b><i class="icon"></i>joe@firm.example', []],
  ['<b>j</b>oe@firm.example', []],
  ['<span>joe@gmail.com</span><span>Phone</span><span>217-555-0101</span>', ['joe@gmail.com']],
  ['<span>joe@gmail.com</span><span>for orders</span>', ['joe@gmail.com']],
  ['<b>info</b>@<b>firm</b>.<i>example</i>', ['info@firm.example']],
  ['<b>info</b><i>[at]</i><b>firm</b><i>[dot]</i><b>example</b>', ['info@firm.example']],
  ['in<wbr>fo@firm.example', ['info@firm.example']],
])('words of two elements are not joined to an address that no one has: %s', (html, expected) => {
  expect(emails(html)).toEqual(expected);
});

test.each([
  ['<table><tr><td>Phone</td><td>217-555-0101</td></tr><tr><td>Fax</td><td>217-555-0102</td></tr></table>'],
  ['<dl><dt>Phone<dd>217-555-0101<dt>Fax no.:<dd><a href="tel:2175550102">217-555-0102</a></dl>'],
  [
    '<table><tr><th>City<th>Phone<th>Fax<tr><td>Lincoln<td>217-555-0101<td><a href="tel:+12175550102">217-555-0102</a></table>',
  ],
  ['<p>217-555-0101</p><p>Phone</p><p>217-555-0102</p><p>Fax</p>'],
  ['<p>217-555-0101 (office), 217-555-0102 (fax)</p>'],
  ['<span>217-555-0101</span><span>Fax</span><span>217-555-0102</span>'],
  ['<p>Tel/Fax: 217-555-0101</p><p>Facsimile 217-555-0102</p>'],
  ['<a href="tel:2175550102">Fax: 217-555-0102</a> T: 217-555-0101 F: 217-555-0102'],
  [
    '<script type="application/ld+json">{"faxNumber":"+1 217-555-0102"}</script><a href="tel:2175550102">x</a> 217-555-0101',
  ],
  ['<p>Fax</p><p>Call us instead: 217-555-0101</p>'],
])('a fax number is no phone: %s', (html) => {
  expect(findPhones(readPage(html))).toEqual(['217-555-0101']);
});

const structured = (data: unknown) =>
  readStructured(
    readPage(`<script type="application/ld+json">${typeof data === 'string' ? data : JSON.stringify(data)}</script>`),
  );
test('data on a page is read in each of its shapes', () => {
  for (const email of [
    { '@value': 'a@firm.example' },
    'Joe <a@firm.example>',
    'a&#64;firm.example',
    ['mailto:a@firm.example'],
  ])
    expect(structured({ contactPoint: [{ email }] }).emails).toEqual([{ email: 'a@firm.example', isOthers: false }]);
  for (const text of ['<!-- {"email":"a@firm.example"} -->', '//<![CDATA[\n{"email":"a@firm.example"}\n//]]>'])
    expect(structured(text).emails).toHaveLength(1);
});

test('data about someone else says nothing of the firm, unless the address is its own', () => {
  const other = { email: 'pat@gmail.com', telephone: '217-555-0103', sameAs: 'https://facebook.com/pat' };
  for (const data of [{ review: { author: other } }, { '@type': 'Review', ...other }, { creator: [other] }]) {
    expect(structured(data)).toMatchObject({ phones: [], profiles: [] });
    expect(emails(`<script type="application/ld+json">${JSON.stringify(data)}</script>`)).toEqual([]);
  }
  expect(emails('<script type="application/ld+json">{"author":{"email":"joe@firm.example"}}</script>')).toEqual([
    'joe@firm.example',
  ]);
});
