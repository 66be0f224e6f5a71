import { expect, test } from 'vitest';
import { linksOf } from './mailer.ts';
import { productMail } from './product-mail.ts';

test('text and HTML say the same, and nothing in it is markup', () => {
  const mail = productMail({
    subject: 'About <b>you</b>',
    paragraphs: ['Ann & "Bob" wrote.'],
    button: { label: 'Go there', link: 'https://site.example/login?email=a%40b.example&x=1' },
    notes: ['Ignore it.'],
    siteUrl: 'https://site.example',
  });
  expect(mail.subject).toBe('About <b>you</b>');
  expect(mail.text).toContain('Ann & "Bob" wrote.');
  expect(mail.text).toContain('Go there: https://site.example/login?email=a%40b.example&x=1');
  expect(mail.html).toContain('<h1>About &lt;b&gt;you&lt;/b&gt;</h1>');
  expect(mail.html).toContain('Ann &amp; &quot;Bob&quot; wrote.');
  expect(linksOf(mail)[0]).toBe('https://site.example/login?email=a%40b.example&x=1');
});
