import { expect, test } from 'vitest';
import { AUDIT_ACTIONS, type AuditLine } from '#contract/admin/audit.ts';
import { sentenceText } from './audit-sentence.ts';

const ANN = { id: '6f1c2a52-3d0f-4c61-8a53-0d6f3b1c9e11', email: 'ann@people.example' };
const line = (action: string, more: Partial<AuditLine> = {}): AuditLine => ({
  id: 1,
  at: '2026-11-21T09:15:30.123Z',
  actor: ANN,
  action,
  target: 'eve@people.example',
  targetEmail: null,
  details: {},
  ip: null,
  requestId: null,
  ...more,
});

test.each(Object.keys(AUDIT_ACTIONS))('%s is told without codes, and ends well without details', (action) => {
  expect(sentenceText(line(action))).toMatch(/^[A-Zae][^{}_]*[\w)]$/);
  expect(sentenceText(line(action))).not.toMatch(/ (to|as|of)$/);
  expect(sentenceText(line(action))).not.toContain(action);
});

test.each([
  ['budget.set', { limits: { month: 6_000_000, hunter_io: null } }, 'each month $6.00, Hunter.io no limit'],
  ['crm.tags_required', { tags: ['Gold', 'Silver'], tag_ids: ['1', '2'] }, 'added required tags: Gold, Silver'],
  ['user.factor_added', { factor: 'totp' }, 'added a second step: authenticator app'],
  ['import.started', { rows: 4 }, 'imported a file: 4 rows'],
  ['import.undone', { removed: 1 }, 'undid an import: 1 lead'],
  ['suppression.imported', { added: 1200 }, 'suppressed contacts from a file: 1,200 entries'],
  ['contact.erased', { kind: 'phone', leads: 0, files: 1 }, 'erased a contact: phone, 0 leads'],
  ['open_data.removed', { places: 402_113 }, '402,113 places'],
  ['crm.connect_failed', { reason: 'unreachable' }, 'Keap could not be reached'],
] as const)('%s tells %j', (action, details, text) => {
  expect(sentenceText(line(action, { details }))).toContain(text);
});
