import { expect, test } from 'vitest';
import { harvestingNotice } from './harvesting-notice.ts';

test.each([
  'Email addresses may not be used for marketing.',
  'Email addresses on this site may not be used for marketing purposes.',
  'The e-mail addresses on this page are not to be used for sales or marketing.',
  'Our email address must not be used for commercial purposes.',
  'Contact details published here should not be used for direct marketing.',
  'The contact information on this website cannot be used to solicit us.',
  'Please do not use the email addresses on this site for marketing.',
  'You may not use the contact information on this website for commercial solicitation.',
  'Third parties must not use our contact details for marketing.',
  'Use of the contact information on this website for marketing or solicitation is prohibited.',
  'Using these email addresses for marketing is strictly forbidden.',
  'Commercial use of the email addresses listed here is not permitted.',
  'The email addresses on this site are not for marketing use.',
  'Email addresses shown on this website are not intended for commercial use.',
  'We do not consent to the use of our contact details for marketing.',
  'Please do not add our email address to any mailing list.',
  'Addresses on this site may not be added to marketing lists.',
  'Please do not add our email to any mailing list.',
])('a notice against marketing: %s', (words) => {
  expect(harvestingNotice(`Welcome.\n${words}\nBye.`)).toBe(words);
});

test.each(['We do not accept unsolicited emails.', 'We never share your details.', 'Call us!'])(
  'a notice counts whatever the firm says of itself in the sentence before: %s',
  (before) => {
    const notice = 'Do not use our email address for marketing.';
    expect(harvestingNotice(`${before} ${notice}`)).toBe(notice);
  },
);

test.each([
  'You may not receive marketing emails if you opt out.',
  'If you do not want to receive marketing emails, click the link in our emails.',
  'Your email address may not be used for marketing without your consent.',
  'We do not use email addresses for marketing.',
  'We may not use contact information for marketing without permission.',
  'Email addresses submitted here may not be used for marketing.',
  'Email addresses that you provide may not be used for marketing.',
  'Email addresses of our customers may not be used for marketing.',
  'You can object to the use of your contact details for marketing at any time.',
  'Our partners do not use email addresses for marketing.',
  'Service providers may not use this contact information for marketing.',
  'We use contact information for marketing, which you may prohibit.',
  'Email marketing is not for everyone: our email addresses your needs.',
  'You cannot use email marketing without addresses.',
  'Add our email address to your contacts, so that our newsletter is not lost.',
  'Do not add email addresses to your list by hand: our marketing software does.',
  'Contact information will not be used for commercial purposes.',
  'Photos may not be used for commercial purposes. Contact information is below.',
  'These terms may not be used for commercial purposes, and our address is below.',
])('no notice against marketing: %s', (words) => {
  expect(harvestingNotice(words)).toBeUndefined();
});

test.each([
  'our addresses ',
  'addresses may not be used ',
  'use of our addresses for ',
  'do not use ',
  'for a b c d marketing ',
])('however often in no order that makes one: %j', (piece) => {
  expect(harvestingNotice(piece.repeat(20_000))).toBeUndefined();
});
