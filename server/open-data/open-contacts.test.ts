import { expect, test } from 'vitest';
import { openWebsite } from './open-contacts.ts';

test.each(['https://olive:secret@lib.example', 'olive@lib.example/page', 'http://olive@lib.example:8080/'])(
  'an address with a name or password in it is no website: %s',
  (text) => expect(openWebsite(text)).toBeUndefined(),
);

test.each(['https://lib.example/@olive', 'lib.example?to=olive@lib.example'])('one behind its host is: %s', (text) =>
  expect(openWebsite(text)).toBe(text),
);
