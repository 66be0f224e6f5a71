import { expect, test } from 'vitest';
import { robotsRules, rulesFor } from './robots-rules.ts';

const allows = (text: string, path: string, status = 200) =>
  robotsRules('https://firm.example', 'FairleadBot', { status, text }).allows(new URL(path, 'https://firm.example'));

test.each([
  ['User-agent: *\nDisallow: /', '/', false],
  ['User-agent: *\nDisallow:', '/a', true],
  ['User-agent: *\nDisallow: /private', '/private/a', false],
  ['User-agent: *\nDisallow: /private', '/public', true],
  ['User-agent: *\nDisallow: /\nUser-agent: FairleadBot\nDisallow: /x', '/a', true],
  ['User-agent: fairleadbot/2.0 (about us)\nDisallow: /', '/a', false],
  ['User-agent: Fairlead\nDisallow: /', '/a', true],
  ['User-agent: OtherBot\nDisallow: /', '/a', true],
  ['User-agent: OtherBot\nUser-agent: FairleadBot\nDisallow: /', '/a', false],
  [
    'User-agent: FairleadBot\nDisallow: /a\n\nUser-agent: x\nDisallow: /\n\nUser-agent: FairleadBot\nDisallow: /b',
    '/b',
    false,
  ],
  ['User-agent: OtherBot\nSitemap: https://firm.example/s.xml\nUser-agent: FairleadBot\nDisallow: /', '/a', false],
  ['User-agent: *\nDisallow: /\nAllow: /contact', '/contact', true],
  ['User-agent: *\nAllow: /page\nDisallow: /page', '/page', true],
  ['User-agent: *\nDisallow: /*.php$', '/a.php', false],
  ['User-agent: *\nDisallow: /*.php$', '/a.php?x', true],
  ['User-agent: *\nDisallow: /a*c', '/abbbc/d', false],
  ['User-agent: *\nDisallow: /caf%C3%A9', '/café', false],
  ['User-agent: *\nDisallow: /%7Ejoe', '/~joe', false],
  ['User-agent: *\nDisallow: /a#b', '/abc', false],
  ['User-agent: *\nDisallow: /a\nUser-agent: x\nDisallow: /c\nUser-agent: *\nDisallow: /b', '/b', false],
  ['User-agent: FairleadBot\nUser-agent: *\nDisallow: /', '/a', false],
  ['User-agent: FairleadBot\n\nUser-agent: *\nDisallow: /', '/a', false],
  ['User-agent: FairleadBot\nDisallow:\nUser-agent: *\nDisallow: /', '/a', true],
  ['User-agent: *\nDisallow: /p*/a\nAllow: /p', '/page/a', false],
  ['User-agent: *\nDisallow: /*\nAllow: /$', '/', true],
  ['User-agent: *\nDisallow: /*\nAllow: /$', '/a', false],
  ['User-agent: *\nDisallow: /a$b', '/a', true],
  ['User-agent: *\nDisallow: /a$b', '/a$b', false],
  ['User-agent: *\nDisallow: /%2A', '/*', false],
  ['User-agent: *\nDisallow: /%2a', '/%2A', false],
  ['User-agent: *\nDisallow: /%2A', '/a', true],
  ['User-agent: *\nDisallow: /a%24', '/a$', false],
  ['User-agent: *\nDisallow: /a%24', '/a%24b', false],
  ['User-agent: *\nDisallow: /a%24', '/a', true],
  ['User-agent: *\nDisallow: /a%24$', '/a$', false],
  ['User-agent: *\nDisallow: /a%24$', '/a$b', true],
  ['User-agent: *\nDisallow: /*%2A*$', '/a?b=*c', false],
  ['User-agent: *\nDisallow: /a*b', '/a*b', false],
  ['User-agent: *\nDisallow: /a%2Fb', '/a/b', true],
  ['User-agent: *\nDisallow: /*?', '/a?b', false],
  ['User-agent: *\nDisallow: /**a', '/xa', false],
  ['User-agent: *\nDisallow: /a', '/A', true],
  ['# a note\n\n  User-agent:*\n\tDisallow:/', '/a', false],
  ['\ufeffUser-agent: *\r\nDisallow: /\r\n', '/a', false],
  ['user-AGENT : *\rdisallow : /a', '/a', false],
  ['Disallow: /', '/a', true],
  ['<html>no robots here</html>', '/a', true],
  ['', '/a', true],
])('%j on %s: %s', (text, path, expected) => {
  expect(allows(text, path)).toBe(expected);
});

test.each([
  [404, true],
  [401, true],
  [403, true],
  [410, true],
  [301, true],
  [500, false],
  [503, false],
  [0, false],
])('HTTP %i for robots.txt: allowed %s', (status, expected) => {
  expect(allows('User-agent: *\nDisallow: /', '/a', status)).toBe(expected);
});

test('a file that cannot be asked for allows nothing', () => {
  expect(robotsRules('https://firm.example', 'FairleadBot', undefined).allows(new URL('https://firm.example/'))).toBe(
    false,
  );
});

test('a pause that a site asks for is kept, up to ten seconds', () => {
  const pause = (text: string) => robotsRules('https://firm.example', 'FairleadBot', { status: 200, text }).pauseMs;
  expect(pause('User-agent: *\nCrawl-delay: 3\nDisallow: /x')).toBe(3_000);
  expect(pause('User-agent: *\nCrawl-delay: 900')).toBe(10_000);
  expect(pause('User-agent: *\nCrawl-delay: soon')).toBe(0);
  expect(pause('User-agent: x\nCrawl-delay: 9\nUser-agent: FairleadBot\nDisallow: /x')).toBe(0);
  expect(pause('User-agent: FairleadBot\nCrawl-delay: 2\n\nUser-agent: *\nCrawl-delay: 9')).toBe(2_000);
});

test('a file of many robots is not kept for each of them', () => {
  const robots = Array.from({ length: 10_000 }, (_, at) => `User-agent: ${String.fromCharCode(97 + (at % 26))}bot`);
  const rules = Array.from({ length: 10_000 }, (_, at) => `Disallow: /${at}`);
  expect(rulesFor('FairleadBot', [...robots, ...rules].join('\n')).rules).toEqual([]);
  expect(rulesFor('FairleadBot', [...robots, 'User-agent: *', ...rules].join('\n')).rules).toHaveLength(10_000);
});

test('rules that would take too long to compare refuse the page, and no other', () => {
  const text = `User-agent: *\n${'Disallow: /*a*a*a*a*a*a*b\n'.repeat(10_000)}`;
  expect(allows(text, `/${'a'.repeat(1_900)}`)).toBe(false);
  expect(allows(text, '/contact')).toBe(true);
  const plain = `User-agent: *\n${'Disallow: /private\n'.repeat(20_000)}`;
  expect([allows(plain, `/${'a'.repeat(900)}`), allows(plain, '/private/a')]).toEqual([true, false]);
});
