import { expect, test } from 'vitest';
import { findAddresses } from './find-addresses.ts';
import { harvestingNotice, noticeOf } from './harvesting-notice.ts';
import { readPage } from './read-page.ts';

const emails = (html: string) => findAddresses(readPage(html), 'firm.com').map(({ email }) => email);
const TRAP = '<a href="mailto:trap@firm.com">Mail</a>';

test.each([
  `<style>.hp { display: none }</style><div class="big hp">${TRAP}</div>`,
  `<style>body{margin:0} p.hp,#x{color:red;visibility:hidden}</style><p class="hp">${TRAP}</p>`,
  `<head><style type="text/css">/* .a{ */ #Trap{position:absolute;left:-9999px}</style></head><p id="Trap">${TRAP}</p>`,
  `<div class="hp">${TRAP}</div><STYLE media="all">.hp{DISPLAY:NONE!important}</STYLE>`,
  `<style>@media print { .hp { display: none } } .hp2 { display: none }</style><p class="hp2">${TRAP}</p>`,
  '<style>.hp{display:none}</style><span class=hp>trap@firm.com</span>',
  `<style>.rev{unicode-bidi:bidi-override;direction:rtl}</style><p class="rev">moc.elpmaxe@mrif.ac</p>`,
  `<div class="d-none">${TRAP}</div>`,
  `<div class="contact-honeypot">${TRAP}</div>`,
  `<div id="spamTrap">${TRAP}</div>`,
])('what styles hide is not read: %s', (html) => {
  expect(emails(html)).toEqual([]);
  expect(emails(`<p>desk@firm.com</p>${html}<p>info@firm.com</p>`)).toEqual(['desk@firm.com', 'info@firm.com']);
});

test.each([
  `<style>@media print { .mail { display: none } }</style><p class="mail">info@firm.com</p>`,
  `<style>@media (max-width: 600px) { .a{color:red} .mail { display: none } }</style><p class="mail">info@firm.com</p>`,
  `<style>.menu{display:none} @media (min-width: 600px) { .menu { display: flex } }</style><p class="menu">info@firm.com</p>`,
  `<style>.tab{display:none} .tab.active{display:block}</style><p class="tab active">info@firm.com</p>`,
  `<style>nav ul.mail{display:none}</style><p class="mail">info@firm.com</p>`,
  `<style>.mail:empty{display:none} .mail::before{display:none}</style><p class="mail">info@firm.com</p>`,
  `<style>/* .mail{display:none} */</style><p class="mail">info@firm.com</p>`,
  `<style>.mail{display:none}</style><style>.mail{display:inline}</style><p class="mail">info@firm.com</p>`,
  `<style media="print">.mail{display:none}</style><p class="mail">info@firm.com</p>`,
  `<style>p.mail{display:none}</style><div class="mail">info@firm.com</div>`,
  `<style>body{display:none}</style><p>info@firm.com</p>`,
  `<style>.no-js{visibility:hidden}</style><body class="no-js"><p>info@firm.com</p></body>`,
  `<noscript><style>.mail{display:none}</style></noscript><p class="mail">info@firm.com</p>`,
  `<!--[if IE 6]><style>.mail{display:none}</style><![endif]--><p class="mail">info@firm.com</p>`,
  `<style>.mail{color:red}</style>${'İ'.repeat(9)}<style>.b{display:none}</style><p class="mail">info@firm.com</p>`,
  `<div class="d-none d-md-block">info@firm.com</div>`,
  `<div class="hidden">info@firm.com</div>`,
  `<script>".hp{display:none}"</script><p class="hp">info@firm.com</p>`,
])('what is shown, or may be, is read: %s', (html) => {
  expect(emails(html)).toEqual(['info@firm.com']);
});

test('a notice counts there as well', () => {
  const notice = 'You may not harvest email addresses from this site.';
  const page = readPage(`<style>.terms{display:none}</style><div class="terms">${notice}</div>`);
  expect([harvestingNotice(page.text), noticeOf(page)]).toEqual([undefined, notice]);
});

const PIECES = ['<style>', '<style', '<noscript>', '<style>.a{', '{', '}', '.a{display:none}', '/*', '@media{', '.a,'];
test.each([...PIECES, '<style>.a{display:none}</style>', '<style>/**/'])(
  'a page of nothing but %s is read to its end',
  (piece) => {
    const filled = piece.repeat(Math.ceil(524_288 / piece.length));
    for (const html of [filled, `<style>${filled}</style>`]) readPage(html);
  },
);
