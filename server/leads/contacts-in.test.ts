import { expect, test } from 'vitest';
import { contactsIn } from './contacts-in.ts';

test.each([
  ['Phone: +1 773-555-0114', ['+1 773-555-0114']],
  ['+1 773-555-0114 / https://acme.example/a?utm_source=google.', ['+1 773-555-0114', 'https://acme.example/a']],
  ['773.555.0114, (312) 555-0101 or 13125550102', ['773.555.0114', '(312) 555-0101', '13125550102']],
  ['London +44 20 7946 0018 today', ['+44 20 7946 0018']],
  ['write to Olive <olive@acme.example>; see www.acme.example', ['olive@acme.example', 'www.acme.example']],
  ['acme.example/menu and bücher.example!', ['acme.example/menu', 'bücher.example']],
  ['call 217–555–0115 or 217 - 555 - 0116', ['217-555-0115', '217 - 555 - 0116']],
  ['tel.217−555−0115, 1 - (217) - 555 - 0116', ['217-555-0115', '1 - (217) - 555 - 0116']],
  ['+44 (0)1624 664414', ['0)1624 664414']],
  ['ring 01624 664414', ['01624 664414']],
  ['ring 01624/664414 / 01624/664415', expect.arrayContaining(['01624/664414', '01624/664415'])],
  ['ring +44–1624–664414', ['+44-1624-664414']],
  ['ring +44/1624/664414 5 times', expect.arrayContaining(['+44/1624/664414'])],
  ['ring 0044 1624 664414', ['0044 1624 664414']],
  ['Paris +33 1 23 45 67 89', expect.arrayContaining(['+33 1 23 45 67 89'])],
  ['Paris 01-23-45-67-89', ['01-23-45-67-89']],
  ['Madrid 912 345 678', ['912 345 678']],
  ['+1 773-555-0114', []],
  ['312_555_0101, 312:555:0102', ['312-555-0101', '312-555-0102']],
  ['3,125,550,101', ['3125550101']],
  ['312-555-0101, (773) 555-0114', ['312-555-0101', '(773) 555-0114']],
  ['on 2026-11-27 10:15:00, 312,500', []],
  ['acme.example', []],
  ['order 20261126, 4.5 stars, 1,200 reviews', []],
  [
    'Three Pines Dental (8154 Washington Ave, Springfield, IL 62786, USA)',
    ['8154 Washington Ave, Springfield, IL 62786'],
  ],
  ['Located at 8154 Washington Ave, ask for Olive', ['8154 Washington Ave']],
  [
    '8154 washington ave. n.; 12 St Charles Street #4',
    [...['8154 washington ave. n.', '12 St', '12 St Charles Street', '12 St Charles Street #4']],
  ],
  ['8154 Washington Ave Springfield IL 62786', ['8154 Washington Ave, Springfield, IL 62786']],
  ['8154 Washington Ave', []],
  ['calls 3 times a week, 5 stars, 10115 Berlin', []],
  ['', []],
])('%s', (text, contacts) => expect(contactsIn(text)).toEqual(contacts));

test('a long text of almost contacts is read at once', () => {
  for (const almost of [
    '1',
    '1 ',
    '0 ',
    'a.',
    'a@',
    '(773) 555-',
    '1,',
    '1:1_',
    '+1-',
    '+4 ',
    'http://',
    '1 st ',
    '1 a',
  ])
    expect(contactsIn(almost.repeat(2_000).slice(0, 2_000)).length).toBeLessThanOrEqual(1_000);
});

test('what stands behind many contacts of one’s own is found', () => {
  const own = Array.from({ length: 60 }, (_, at) => `a${at}@own.example, ${at} Oak St;`).join(' ');
  expect(contactsIn(`${own} 217-555-0115; 8154 Washington Ave`)).toEqual(
    expect.arrayContaining(['217-555-0115', '8154 Washington Ave']),
  );
});
