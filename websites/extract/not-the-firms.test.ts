import { expect, test } from 'vitest';
import { chooseAddresses } from './choose-addresses.ts';
import { findAddresses } from './find-addresses.ts';
import { readPage } from './read-page.ts';

const chosen = (html: string) => {
  const found = findAddresses(readPage(html), 'firm.com').map((one) => ({
    ...one,
    page: 'https://firm.com/',
    contact: true,
  }));
  return chooseAddresses(found, { own: 'firm.com' }).map(({ email }) => email);
};

test.each([
  '<footer>Site by <a href="mailto:joe@gmail.com">WebGuy</a></footer>',
  '<footer>Site built and managed by <a href="mailto:joe@gmail.com">Web Guy</a></footer>',
  '<footer>Made with ♥ by <a href="mailto:joe@gmail.com">joe</a></footer>',
  '<footer>Crafted with care by <a href="mailto:joe@gmail.com">joe</a></footer>',
  '<footer>This page was made by joe@gmail.com</footer>',
])('who made the page is not the firm: %s', (html) => {
  expect(chosen(html)).toEqual([]);
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
