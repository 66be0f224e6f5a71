import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import type { AuditLine } from '#contract/admin/audit.ts';
import { ok, refused, renderApp, seedAdminSession, seedSession, stubServer } from '#web/test-app.tsx';

const ADMIN = { id: '6f1c2a52-3d0f-4c61-8a53-0d6f3b1c9e11', email: 'mara@people.example' };
const aLine = (line: Partial<AuditLine> = {}): AuditLine => ({
  id: 7,
  at: '2026-11-21T09:15:30.123Z',
  actor: ADMIN,
  action: 'user.role_changed',
  target: '0b6f1e0e-6b1f-4b7a-9c57-3a1f6d9a2f10',
  targetEmail: 'ann@people.example',
  details: { role: 'admin' },
  ip: '192.0.2.7',
  requestId: 'request-1',
  ...line,
});

/** A server that answers these pages, by the line that they follow. */
function serve(pages: Record<string, { items: AuditLine[]; next: string | null }>) {
  const answers: Parameters<typeof stubServer>[0] = {
    'GET /api/admin/audit': ({ query }) =>
      ok(pages[new URLSearchParams(query).get('before') ?? ''] ?? { items: [], next: null }),
  };
  return { answers, seen: stubServer(answers) };
}
/** The queries of the pages that were asked for. */
const asked = (seen: ReturnType<typeof stubServer>, path = '/api/admin/audit') =>
  seen.filter((request) => request.path === path).map(({ query }) => Object.fromEntries(new URLSearchParams(query)));

beforeEach(() => {
  seedAdminSession();
});

test('who is refused is told so', async () => {
  seedSession();
  stubServer({ 'GET /api/admin/audit': () => refused(403, 'FORBIDDEN', 'Only administrators can do this.') });
  renderApp('/admin/audit');
  expect(await screen.findByText('Administrators only')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Download CSV' })).not.toBeInTheDocument();
});

test('lines in words: acts, one’s own, refusals of strangers, and what a later version wrote', async () => {
  serve({
    '': {
      items: [
        aLine(),
        aLine({
          id: 6,
          action: 'session.signed_in',
          target: ADMIN.id,
          targetEmail: ADMIN.email,
          details: { way: 'code' },
        }),
        aLine({ id: 5, action: 'key.saved', target: 'hunter_io', targetEmail: null, details: { last_four: 'ab12' } }),
        aLine({
          id: 4,
          action: 'access.refused',
          actor: null,
          target: 'eve@people.example',
          targetEmail: null,
          details: { reason: 'MISSING_TAG', at: 'link' },
        }),
        aLine({ id: 3, action: 'account.deleted', actor: null, targetEmail: null, details: {}, ip: null }),
        aLine({ id: 2, action: 'later.version', actor: { id: ADMIN.id, email: null }, details: {} }),
      ],
      next: null,
    },
  });
  renderApp('/admin/audit');
  const table = within(await screen.findByRole('region', { name: 'Audit log' }));
  const cells = table.getAllByRole('row').map((row) => [...row.children].slice(1, 3).map((cell) => cell.textContent));
  expect(cells).toEqual([
    ['What happened', 'From address'],
    [`${ADMIN.email} changed the role of ann@people.example to Admin`, '192.0.2.7'],
    [`${ADMIN.email} signed in by code`, '192.0.2.7'],
    [`${ADMIN.email} saved a Hunter.io key that ends in ab12`, '192.0.2.7'],
    ['eve@people.example was refused when asking for a link: a required tag is missing', '192.0.2.7'],
    ['Account 0b6f1e0e… was deleted by its owner', '–'],
    ['Account 6f1c2a52…: later version, ann@people.example', '192.0.2.7'],
  ]);
  expect(screen.queryByRole('button', { name: 'Older' })).not.toBeInTheDocument();
});

test('details show everything that the line holds', async () => {
  serve({ '': { items: [aLine()], next: null } });
  const { user } = renderApp('/admin/audit');
  await user.click(await screen.findByRole('button', { name: /^Details of Role changed, Nov 21, 2026/ }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Role changed' }));
  for (const text of ['Admin', '192.0.2.7', 'request-1', ADMIN.id, '2026-11-21T09:15:30.123Z'])
    expect(dialog.getByText(text)).toBeVisible();
  expect(dialog.queryByText('user.role_changed')).not.toBeInTheDocument();
});

test('filters stand in the address, days become moments, and clearing shows all', async () => {
  const { seen } = serve({});
  const { router, user } = renderApp('/admin/audit?group=keys&target=hunter&from=2026-11-20&to=2026-11-21&before=9');
  expect(await screen.findByText('No lines match')).toBeVisible();
  expect(asked(seen)).toEqual([
    {
      group: 'keys',
      target: 'hunter',
      before: '9',
      from: new Date(2026, 10, 20).toISOString(),
      to: new Date(2026, 10, 22).toISOString(),
    },
  ]);
  await user.type(screen.getByRole('searchbox', { name: 'Done by, beginning with' }), 'ann');
  await waitFor(() =>
    expect(router.state.location.search).toBe('?group=keys&actor=ann&target=hunter&from=2026-11-20&to=2026-11-21'),
  );
  await user.click(await screen.findByRole('button', { name: 'Clear filters' }));
  expect(await screen.findByText('Nothing yet')).toBeVisible();
  expect(asked(seen).at(-1)).toEqual({});
});

test('older lines and back to the newest', async () => {
  serve({ '': { items: [aLine()], next: '7' }, 7: { items: [aLine({ id: 1, ip: '192.0.2.99' })], next: null } });
  const { router, user } = renderApp('/admin/audit');
  await user.click(await screen.findByRole('button', { name: 'Older' }));
  expect(await screen.findByText('192.0.2.99')).toBeVisible();
  expect(router.state.location.search).toBe('?before=7');
  expect(screen.getByRole('button', { name: 'Older' })).toBeDisabled();
  await user.click(screen.getByRole('button', { name: 'Newest' }));
  expect(await screen.findByText('192.0.2.7')).toBeVisible();
});

test('a log that cannot be read: why, and another try', async () => {
  const { answers } = serve({ '': { items: [aLine()], next: null } });
  const works = answers['GET /api/admin/audit'];
  answers['GET /api/admin/audit'] = () => refused(422, 'VALIDATION_FAILED', 'Not today.');
  const { user } = renderApp('/admin/audit');
  expect(await screen.findByText('Not today.')).toBeVisible();
  if (works) answers['GET /api/admin/audit'] = works;
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('region', { name: 'Audit log' })).toBeVisible();
});

test('the file has what the filter leaves; a refusal says why', async () => {
  const { answers, seen } = serve({ '': { items: [aLine()], next: null } });
  answers['GET /api/admin/audit.csv'] = () => new Response('Time\r\n', { headers: { 'content-type': 'text/csv' } });
  const saved: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => `blob:${blob instanceof Blob && saved.push(blob)}`);
  const { user } = renderApp('/admin/audit?group=users&before=9');
  await user.click(await screen.findByRole('button', { name: 'Download CSV' }));
  expect(await screen.findByText('The lines that match.')).toBeVisible();
  expect(asked(seen, '/api/admin/audit.csv')).toEqual([{ group: 'users' }]);
  expect(saved[0]?.type).toBe('text/csv');
  answers['GET /api/admin/audit.csv'] = () => refused(429, 'RATE_LIMITED', 'Too many files.');
  await user.click(screen.getByRole('button', { name: 'Download CSV' }));
  expect(await screen.findByText('Too many files.')).toBeVisible();
});
