import { expect, test } from 'vitest';
import { CRM_CONNECT_FAILURES } from '#contract/admin/crm.ts';
import { ApiError } from '#web/lib/backend/api-error.ts';
import { connectFailureText, crmErrorText } from './crm-messages.ts';

test('each cause has its words', () => {
  const text = (details: ConstructorParameters<typeof ApiError>[1]) => crmErrorText(new ApiError('shown', details));
  expect(text({ kind: 'non_json', status: 401, bodyStart: '<html>' })).toContain('deployment protection');
  expect(text({ kind: 'invalid_json', status: 200 })).toBe('Invalid JSON response from server');
  expect(text({ kind: 'http', status: 409, serverMessage: 'Not yet.' })).toBe('Not yet.');
  expect(text({ kind: 'http', status: 500 })).toBe('Unknown error');
  expect(text({ kind: 'network' })).toBe('shown');
  expect(crmErrorText(new Error('Missing authorize URL'))).toBe('Missing authorize URL');
  expect(crmErrorText('odd')).toBe('Unknown error');
});

test('only known reasons have words of their own', () => {
  const texts = CRM_CONNECT_FAILURES.map(connectFailureText);
  expect(new Set(texts).size).toBe(CRM_CONNECT_FAILURES.length);
  for (const reason of ['<b>pay here</b>', 'toString', null]) expect(connectFailureText(reason)).toBe('Unknown error');
});
