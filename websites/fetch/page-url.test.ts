import { expect, onTestFinished, test, vi } from 'vitest';
import { pageUrl } from './page-url.ts';
import { isPublicAddress } from './public-address.ts';
import { type NameServers, resolveName } from './resolve-name.ts';

test.each([
  'http://firm.example/a?b=c#d',
  'https://firm.example:443/',
  'http://firm.example:80/',
  'https://firm.example:80/',
  'http://8.8.8.8/',
  'http://[2606:4700::1111]/',
])('%s may be asked', (address) => {
  expect(pageUrl(address)?.href).toBeTruthy();
});

test.each([
  'http://127.0.0.1/',
  'http://2130706433/',
  'http://0177.0.0.1/',
  'http://0x7f.1/',
  'http://127.1/',
  'http://0/',
  'http://10.0.0.1/',
  'http://100.64.0.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://168.63.129.16/',
  'http://100.100.100.200/',
  'http://192.0.0.192/',
  'http://172.31.255.255/',
  'http://192.168.0.1/',
  'http://198.18.0.1/',
  'http://203.0.113.9/',
  'http://224.0.0.1/',
  'http://255.255.255.255/',
  'http://[::1]/',
  'http://[::]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:8.8.8.8]/',
  'http://[::127.0.0.1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[64:ff9b:1::a00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[2001::1]/',
  'http://[2001:db8::1]/',
  'http://[::ffff:0:7f00:1]/',
  'http://[::7f00:1]/',
  'http://[100::1]/',
  'http://[2001:10::1]/',
  'http://[3fff::1]/',
  'http://[5f00::1]/',
  'http://[fe80::1%25eth0]/',
  'http://127.0.0.1./',
  'http://localhost../',
  'http://１２７.0.0.1/',
  'http://firm.localhost/',
  'http://[fd00:ec2::254]/',
  'http://[fe80::1]/',
  'http://[fec0::1]/',
  'http://[ff02::1]/',
  'http://localhost/',
  'http://LOCALHOST./',
  'http://db.internal/',
  'http://printer.local/',
  'http://intranet/',
  'http://metadata.google.internal/',
  'http://firm.example:8080/',
  'http://firm.example:22/',
  'http://user:secret@firm.example/',
  'http://firm.example@127.0.0.1/',
  'http://①②⑦.0.0.1/',
  'ftp://firm.example/',
  'file:///etc/passwd',
  'gopher://firm.example/',
  'javascript:alert(1)',
  'data:text/html,x',
  '//',
  '',
])('%s may not be asked', (address) => {
  expect(pageUrl(address)).toBeUndefined();
});

test('a redirect is judged by what it leads to', () => {
  const base = new URL('https://firm.example/a');
  expect(pageUrl('/contact', base)?.href).toBe('https://firm.example/contact');
  expect(pageUrl('//127.0.0.1/', base)).toBeUndefined();
  expect(pageUrl('http://[::ffff:a00:1]/', base)).toBeUndefined();
});

test('scopes and texts are no public addresses', () => {
  expect(['fe80::1%eth0', '2606:4700::1%lo', 'firm.example', ''].filter(isPublicAddress)).toEqual([]);
});

const answering = (v4: string[] | Error, v6: string[] | Error): NameServers => {
  const give = async (answer: string[] | Error) => {
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return {
    resolve4: (() => give(v4)) as unknown as NameServers['resolve4'],
    resolve6: (() => give(v6)) as unknown as NameServers['resolve6'],
    resolveMx: async () => [],
  };
};
const failure = (code: string) => Object.assign(new Error(code), { code });

test.each([
  [['93.184.215.14'], failure('ENODATA'), 'public'],
  [['93.184.215.14', '10.0.0.1'], failure('ENODATA'), 'forbidden'],
  [['93.184.215.14'], ['::1'], 'forbidden'],
  [failure('ENOTFOUND'), failure('ENOTFOUND'), 'none'],
  [failure('ESERVFAIL'), failure('ENODATA'), 'unknown'],
  [failure('ETIMEOUT'), failure('ETIMEOUT'), 'unknown'],
])('a name that leads to %o and %o is %s', async (v4, v6, kind) => {
  expect((await resolveName(answering(v4, v6), 'firm.example')).kind).toBe(kind);
});

test('name servers that do not answer are not waited for longer than a turn lasts', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const silent = { ...answering([], []), resolve6: () => new Promise(() => {}) } as NameServers;
  const resolved = resolveName({ ...silent, resolve4: silent.resolve6 } as NameServers, 'firm.example');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await resolved).toEqual({ kind: 'unknown' });
});
