import { expect, test } from 'vitest';
import { ProviderError } from '#providers/provider.ts';
import { errorForLog } from './log.ts';

test('keeps what explains an error, and nothing that only hangs on it', () => {
  const cause = Object.assign(new Error('duplicate key'), {
    code: '23505',
    constraint: 'users_email_key',
    detail: 'Key (email)=(ann@people.example) already exists.',
  });
  const error = Object.assign(new TypeError('could not save', { cause }), {
    client: { secretKey: 42, password: 'hush' },
  });
  const logged = errorForLog(error);
  expect(logged).toMatchObject({
    type: 'TypeError',
    message: 'could not save',
    cause: { message: 'duplicate key', code: '23505', constraint: 'users_email_key' },
  });
  expect(JSON.stringify(logged)).not.toMatch(/hush|secretKey|ann@people/);
  expect(logged.stack).toContain('log.test.ts');
});

test('says what was thrown when it is no error', () => {
  expect(errorForLog('nothing works')).toEqual({ message: 'nothing works' });
});

test('keeps no address and nothing shaped like a key, and no stack of a provider', () => {
  const error = new Error('550 <ann@people.example> refused AIzaSyA1234567890123456789012345678901');
  expect(JSON.stringify(errorForLog(error))).not.toMatch(/ann@people|AIzaSy/);
  const refused = new ProviderError('keap', 'bad_request', 'Keap did not accept this: "email==ann@people.example".', {
    detail: 'for filter=email%3D%3Dann%40people.example',
  });
  expect(errorForLog(refused)).toEqual({
    type: 'ProviderError',
    provider: 'keap',
    kind: 'bad_request',
    message: 'Keap did not accept this: "[address]".',
    detail: 'for [address]',
  });
});
