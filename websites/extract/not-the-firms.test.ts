import { expect, test } from 'vitest';
import { chooseAddresses } from './choose-addresses.ts';
import { findAddresses } from './find-addresses.ts';
import { harvestingNotice, noticeOf } from './harvesting-notice.ts';
import { findPhones } from './phone-numbers.ts';
import { readPage } from './read-page.ts';
import { findProfiles } from './social-profiles.ts';

const isShared = (host: string) => host === 'shopify.com';
const chosen = (html: string) => {
  const found = findAddresses(readPage(html), 'firm.com').map((one) => ({
    ...one,
    page: 'https://firm.com/',
    contact: true,
  }));
  return chooseAddresses(found, { own: 'firm.com', isShared }).map(({ email }) => email);
};

test.each([
  '<footer>Site by <a href="mailto:joe@gmail.com">WebGuy</a></footer>',
  '<footer>Site built and managed by <a href="mailto:joe@gmail.com">Web Guy</a></footer>',
  '<footer>Made with ♥ by <a href="mailto:joe@gmail.com">joe</a></footer>',
  '<footer>Crafted with care by <a href="mailto:joe@gmail.com">joe</a></footer>',
  '<footer>This page was made by joe@gmail.com</footer>',
  '<footer>Website by Acme Inc. joe@gmail.com</footer>',
  '<footer>Website designed and maintained by Joe (joe@gmail.com)</footer>',
  '<footer>Powered by Acme | joe@gmail.com</footer>',
  '<footer>Photography by Joe Doe, joe@gmail.com</footer>',
  '<footer>Web design: Joe Doe joe@gmail.com</footer>',
  '<footer>Site design: joe@gmail.com</footer>',
  '<footer>Theme from Joe - joe@gmail.com</footer>',
])('who made the page is not the firm: %s', (html) => {
  expect(chosen(html)).toEqual([]);
});

test.each([
  '<h3>Joe Doe Photography</h3><p>joe@gmail.com</p>',
  '<p>© 2026 Joe Doe Photography | joe@gmail.com</p>',
  '<h2>Landscape Design</h2><a href="mailto:joe@gmail.com">Email us</a>',
  '<p>We design and build decks. Email joe@gmail.com</p>',
  '<p>Hand-built furniture. joe@gmail.com</p>',
  '<p>Send photos of your yard to joe@gmail.com</p>',
  '<p>Every cake is created with love. Order: joe@gmail.com</p>',
  '<p>Visit our website</p><p>joe@gmail.com</p>',
  '<p>Marketing Director: joe@gmail.com</p>',
])('a firm that designs, builds or photographs is not who made the page: %s', (html) => {
  expect(chosen(html)).toEqual(['joe@gmail.com']);
});

test.each([
  '<label>Email (e.g. john@gmail.com)</label>',
  '<p>e.g. jane.smith@gmail.com</p>',
  '<p>Enter your email, for example: mary@gmail.com</p>',
  '<p>Your address, such as mary@yahoo.com</p>',
  '<p>Format: Ex: pat@firm.com</p>',
  '<p>Example: pat@firm.com</p>',
])('an example is no address of the firm: %s', (html) => {
  expect(chosen(html)).toEqual([]);
});

test.each([
  '<p>email@gmail.com</p>',
  '<a href="mailto:info@gmail.com">Write</a>',
  '<p>Mail: contact@outlook.com, sales@yahoo.com, abc@hotmail.com, xyz@aol.com</p>',
  '<script type="application/ld+json">{"email":"hello@gmail.com"}</script>',
  '<a href="mailto:friend@gmail.com?subject=Look">Tell a friend</a>',
])('what a template writes at a provider of mailboxes is no address of the firm: %s', (html) => {
  expect(chosen(html)).toEqual([]);
  expect(chosen(`${html}<p>desk.firm@gmail.com</p>`)).toEqual(['desk.firm@gmail.com']);
});

test.each([
  '<p>Help with this shop: <a href="mailto:support@shopify.com">Support</a></p>',
  '<script type="application/ld+json">{"email":"support@shopify.com"}</script>',
  '<p>Complaints: <a href="mailto:consumer@atg.state.il.us">Attorney General</a></p>',
  '<p>Permits: <a href="mailto:info@epa.gov">EPA</a></p>',
])('whom many sites name is not the firm: %s', (html) => {
  expect(chosen(html)).toEqual([]);
  expect(chosen(`${html}<a href="mailto:desk@other.com">Mail</a>`)).toEqual(['desk@other.com']);
});

test.each(['<p>Phone217-555-0100info@firm.com</p>', '<p>217.555.0100desk@gmail.com</p>'])(
  'a number glued to an address is no part of one: %s',
  (html) => {
    expect(chosen(html)).toEqual([]);
  },
);

test.each([
  ['<p>Fresh bread, made by hand. Write to bread@gmail.com</p>', 'bread@gmail.com'],
  ['<p>Cakes made by Anna: anna.cakes@gmail.com</p>', 'anna.cakes@gmail.com'],
  ['<p>Stop by our job site by appointment: pat@gmail.com</p>', 'pat@gmail.com'],
  ['<p>For example invoices, write to billing.desk@firm.com</p>', 'billing.desk@firm.com'],
  ['<p>Text and mail: 2175550100@firm.com</p>', '2175550100@firm.com'],
  ['<p>Example: pat@firm.com. Write to <a href="mailto:pat@firm.com">Pat</a></p>', 'pat@firm.com'],
])('what says how to reach the firm is: %s', (html, email) => {
  expect(chosen(html)).toEqual([email]);
});

const encoded = '1a6975777f7d6f635a7d777b737634797577';
const COMMENTS = [
  '<ol class="comment-list"><li id="comment-12" class="comment even"><p>Need a loan? Write to quick.loan@gmail.com</p></li></ol>',
  '<div id="comments"><p>Great! <a href="mailto:ann@yahoo.com">Ann</a></p></div>',
  '<section class="reviews-section"><article><p>Bad work, ask me: bob@gmail.com</p></article></section>',
  '<div class="wp-block-latest-comments">pat@gmail.com</div>',
  '<ul class="commentlist"><li>ann [at] gmail [dot] com</li></ul>',
  `<div class="comment-body"><span data-cfemail="${encoded}">x</span></div>`,
  `<div class="comment-content"><a href="/cdn-cgi/l/email-protection#${encoded}">x</a></div>`,
  '<div itemprop="review" itemscope itemtype="https://schema.org/Review"><p>joe@gmail.com</p></div>',
  '<blockquote class="testimonial">Thank you! mary@gmail.com</blockquote>',
  '<div class="elementor-testimonial-wrapper"><div>Thank you! mary@gmail.com</div></div>',
  '<div class="et_pb_testimonial_description">Thank you! mary@gmail.com</div>',
  '<div class="client-testimonials"><p>Thank you! mary@gmail.com</p></div>',
  '<section class="testimonials-section__quote">Thank you! mary@gmail.com</section>',
  '<div id="google-reviews-3">Thank you! mary@gmail.com</div>',
  '<div class="spr-review-content-body">Thank you! mary@gmail.com</div>',
  '<div class="jdgm-rev__body">Thank you! mary@gmail.com</div>',
  '<li class="blogCommentText">Thank you! mary@gmail.com</li>',
  '<div data-hook="review-item">Thank you! mary@gmail.com</div>',
  '<product-reviews>Thank you! mary@gmail.com</product-reviews>',
  '<span itemprop="reviewBody">Thank you! mary@gmail.com</span>',
  '<div typeof="schema:Review"><p property="reviewBody">Thank you! mary@gmail.com</p></div>',
  '<blockquote><p>Thank you! mary@gmail.com</p><footer><cite>Mary, Peoria</cite></footer></blockquote>',
  '<figure><blockquote><a href="mailto:mary@gmail.com">Thank you!</a></blockquote><figcaption>Mary</figcaption></figure>',
];
test.each(COMMENTS)('what a visitor wrote is not the address of the firm: %s', (html) => {
  expect(chosen(html)).toEqual([]);
  expect(chosen(`<p>desk@gmail.com</p>${html}`)).toEqual(['desk@gmail.com']);
  expect(chosen(`${html}<p>desk@gmail.com</p>`)).toEqual(['desk@gmail.com']);
});

test('nor is what else a visitor wrote', () => {
  const page = readPage(
    `<p>Call 217-555-0101</p><div id="comments"><p>Call me: 217-555-0102, <a href="tel:2175550103">or here</a></p>
     <a href="https://facebook.com/ann.visitor">Ann</a></div><a href="https://facebook.com/firm">f</a>`,
  );
  expect(findPhones(page)).toEqual(['217-555-0101']);
  expect(findProfiles(page)).toEqual(['https://facebook.com/firm']);
});

test.each([
  ['<body class="comments single-review"><p>desk@gmail.com</p></body>', 'desk@gmail.com'],
  ['<div id="comments">Thanks! Write to us: <a href="mailto:desk@firm.com">us</a></div>', 'desk@firm.com'],
  ['<div class="comment-form">Questions? desk@gmail.com</div>', 'desk@gmail.com'],
  ['<div class="has-reviews">desk@gmail.com</div>', 'desk@gmail.com'],
  ['<div class="rev_slider_wrapper">desk@gmail.com</div>', 'desk@gmail.com'],
  ['<section id="free-case-review">desk@gmail.com</section>', 'desk@gmail.com'],
  ['<div id="reviews-page">desk@gmail.com</div>', 'desk@gmail.com'],
  ['<blockquote>Write to desk@gmail.com</blockquote><p><cite>The Daily</cite> praised us.</p>', 'desk@gmail.com'],
  ['<figure><img><figcaption>Ann at her desk@gmail.com</figcaption></figure>', 'desk@gmail.com'],
  ['<blockquote>Not ended <p>desk@gmail.com</p><cite>The Daily</cite>', 'desk@gmail.com'],
  [
    '<blockquote><p>Good! a@gmail.com</p><cite>A</cite></blockquote><a href="mailto:desk@gmail.com">Mail</a>',
    'desk@gmail.com',
  ],
])('an answer of the firm, or a page with comments, counts: %s', (html, email) => {
  expect(chosen(html)).toEqual([email]);
});

test('a notice counts wherever it stands', () => {
  const notice = 'You may not harvest email addresses from this site.';
  expect(harvestingNotice(readPage(`<p>Hi</p><div class="reviews"><p>${notice}</p></div>`).text)).toBe(notice);
  const opens = `<div class="modal" style="display: none"><h2>Terms</h2><p>${notice}</p><script>1;</script></div>`;
  for (const html of [opens, `<details><p hidden>Hi!<br>${notice.replace('email', 'email<br>')}</p></details>`])
    expect(noticeOf(readPage(`<p>Hi</p>${html}<p>Bye</p>`))).toBe(notice);
  expect(noticeOf(readPage(`<div hidden><script>${notice}</script><style>${notice}</style></div>`))).toBeUndefined();
});
