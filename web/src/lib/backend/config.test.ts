import { expect, test } from 'vitest';
import { isBackendDisabled, readConfig } from './config.tsx';
import { BACKEND_DISABLED, createBackendClient } from './supabase.ts';

test('reads a whole configuration', () => {
  const config = readConfig({ backendUrl: 'https://backend.example', backendKey: 'key', sandbox: true });
  expect(config).toMatchObject({ backendUrl: 'https://backend.example', sandbox: true, mailbox: false });
  expect(isBackendDisabled(config)).toBe(false);
});

test.each([
  [null],
  ['<html>'],
  [{}],
  [{ backendUrl: '', backendKey: 'key' }],
  [{ backendUrl: 'https://backend.example' }],
])('without its values the backend is disabled: %j', (answer) => {
  expect(isBackendDisabled(readConfig(answer))).toBe(true);
});

test('what is there is kept', () => {
  expect(readConfig({ supportUrl: 'https://help.example' }).supportUrl).toBe('https://help.example');
});

test('the disabled client says why, in every call, and sends nothing', async () => {
  const client = await createBackendClient(readConfig({}));
  const otp = await client.auth.signInWithOtp({ email: 'mara.quill@harbour.example' });
  expect(otp.error).toMatchObject({ message: BACKEND_DISABLED, code: 'backend_disabled' });
  const lists = await client.from('lists').select('*');
  expect(lists.error?.message).toBe(BACKEND_DISABLED);
  expect((await client.auth.getSession()).data.session).toBeNull();
});
