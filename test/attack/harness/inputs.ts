import type { RouteName } from './routes.ts';

/** A request that the route would accept, about whatever `id` names. */
export type Input = { body?: Record<string, unknown>; query?: Record<string, string> };

const NO_LIMITS = { run: null, month: null, google_places: null, hunter_io: null, searchbug: null };
const LONG_AGO = '2000-01-01T00:00:00Z';
const PERIOD = { from: '2026-01-01', to: '2026-12-31', money: 'sandbox' };

/** For every endpoint that takes anything: an input about the thing with that id, the person with that address. */
export const inputsAbout = (id: string, email: string): Record<RouteName, Input> => ({
  'POST /api/search-leads': {
    query: {},
    body: { query: 'plumber', location: 'Springfield, IL', list_id: id, radius: 40_234, maxResults: 20 },
  },
  'POST /api/search-leads/count': {
    body: { query: 'plumber', location: 'Springfield, IL', radius: 40_234, maxResults: 20 },
  },
  'POST /api/search-leads all': {
    query: {},
    body: { query: 'plumber', list_id: id, maxResults: 'all', area: { kind: 'zips', codes: ['62701'] } },
  },
  'POST /api/search-leads/count all': {
    body: { query: 'plumber', maxResults: 'all', area: { kind: 'zips', codes: ['62701'] } },
  },
  'POST /api/search-leads/count/stop': {
    body: { query: 'plumber', maxResults: 'all', area: { kind: 'zips', codes: ['62701'] } },
  },
  'POST /api/search-leads/count/leaves': {
    body: { query: 'plumber', maxResults: 'all', area: { kind: 'zips', codes: ['62701'] } },
  },
  'GET /api/areas/counties': {},
  'POST /api/areas/outline': { body: { area: { kind: 'zips', codes: ['62701'] } } },
  'GET /api/lists/:listId/leads': { query: { listId: id, q: 'dent', has: 'email', sort: 'phone.asc', limit: '10' } },
  'POST /api/lists/:listId/leads/counts': {
    query: { listId: id },
    body: { matching: { lacks: 'website' }, except: [id] },
  },
  'POST /api/lists/:listId/leads/copy': { query: { listId: id }, body: { lead_ids: [id], to: { list_id: id } } },
  'POST /api/lists/:listId/leads/delete': { query: { listId: id }, body: { lead_ids: [id] } },
  'GET /api/lists/:listId/callability/leads': { query: { listId: id, ids: id } },
  'PUT /api/admin/calling-rules/scope': { body: { scope: 'business_landlines', reason: 'All lines were verified.' } },
  'POST /api/admin/calling-rules': {
    body: { state: 'FL', days: [1, 2, 3, 4, 5], from: '09:00', to: '17:00', reason: 'Only in office hours.' },
  },
  'DELETE /api/admin/calling-rules/:id': { query: { id }, body: { reason: 'Not needed any more.' } },
  'POST /api/lists/:listId/export': {
    query: { listId: id },
    body: { lead_ids: [id], filter: 'all', compliance: 'all_leads' },
  },
  'POST /api/lists/:listId/coverage/google-count': { query: { listId: id } },
  'GET /api/lists/:listId/coverage': { query: { listId: id } },
  'POST /api/places/look-up': { query: {}, body: { location: 'Springfield, IL' } },
  'POST /api/enrich/emails': { query: {}, body: { list_id: id } },
  'POST /api/compliance': { query: {}, body: { list_id: id, lead_ids: [id] } },
  'POST /api/enrich/estimate': { body: { list_id: id } },
  'POST /api/compliance/estimate': { body: { list_id: id, lead_ids: [id] } },
  'POST /api/lists/duplicate': { body: { list_id: id } },
  'PUT /api/budgets': { body: { limits: NO_LIMITS } },
  'POST /api/budgets/dismiss': { body: { budget: 'month', percent: 50, sandbox: false } },
  'GET /api/admin/budgets': { query: { user_id: id } },
  'PUT /api/admin/budgets': { query: { user_id: id }, body: { limits: NO_LIMITS } },
  'GET /api/runs': { query: { list_id: id } },
  'GET /api/runs/:id': { query: { id } },
  'GET /api/runs/:id/calls': { query: { id, state: 'uncertain', after: id } },
  'POST /api/runs/:id/cancel': { query: { id } },
  'POST /api/paid-calls/settle': { body: { call_ids: [id], charged: true } },
  'POST /api/callability/check': {
    body: { phone: '+1 217-555-0100', state: 'IL', postalCode: '62701', at: '2026-11-24T15:00:00Z' },
  },
  'GET /api/leads/:id/callability': { query: { id } },
  'GET /api/lists/:listId/callability': { query: { listId: id } },
  'GET /api/leads/:id/calls': { query: { id } },
  'POST /api/calls/begin': { body: { id, leadId: id, session: id } },
  'POST /api/calls': { body: { id, leadId: id, outcome: 'do_not_call', note: 'asked to be left alone' } },
  'POST /api/calls/:id/take-back': { query: { id }, body: { what: 'call' } },
  'POST /api/lists/:listId/call-sheet': { query: { listId: id }, body: { session: id, keep: id } },
  'POST /api/lists/:listId/call-sheet/leave': { query: { listId: id }, body: { session: id } },
  'GET /api/suppressions': { query: { q: email, kind: 'email', before: id } },
  'POST /api/suppressions': { body: { kind: 'email', value: email, note: 'asked to be left alone' } },
  'DELETE /api/suppressions/:id': { query: { id }, body: { reason: 'entered by mistake' } },
  'POST /api/suppressions/import': { body: { csv: `email\n${email}\n` } },
  'PUT /api/admin/suppressions': { body: { publicPage: true, crmStatuses: true, crmTag: { id: '1', name: 'Stop' } } },
  'POST /api/admin/suppressions/requests/:id': { query: { id }, body: { suppress: true } },
  'POST /api/admin/suppressions/erase': { body: { kind: 'email', value: email } },
  'POST /api/stop': { body: { kind: 'email', value: email } },
  'POST /api/stop/confirm': { body: { kind: 'email', value: email, ask: id, code: '000000' } },
  'GET /api/leads/:id/provenance': { query: { id } },
  'POST /api/usage/meters': { body: { provider: 'hunter_io' } },
  'GET /api/usage': { query: PERIOD },
  'GET /api/usage/runs': { query: { ...PERIOD, after: id } },
  'GET /api/usage/export': { query: PERIOD },
  'DELETE /api/account/sessions': { body: { id } },
  'DELETE /api/account': { body: { email } },
  'DELETE /api/keys': { body: { provider: 'hunter_io' } },
  'POST /api/keys/test': { body: { provider: 'hunter_io', apiKey: 'a-key', save: true } },
  'POST /api/session/carry-over': { body: { refresh_token: 'a-token' } },
  'POST /api/auth/precheck': { body: { email } },
  'POST /api/admin/users/set-status': { body: { user_id: id, status: 'disabled' } },
  'POST /api/admin/users/set-role': { body: { user_id: id, role: 'admin' } },
  'POST /api/admin/users/reset-second-step': { body: { user_id: id } },
  'PUT /api/admin/second-step': { body: { required: 'everybody' } },
  'PUT /api/admin/session-ends': { body: { idle_hours: 2, max_hours: 2 } },
  'POST /api/admin/users/invite': { body: { email: 'guest@people.example', role: 'admin' } },
  'POST /api/admin/users/invitations/resend': { body: { id } },
  'POST /api/admin/users/invitations/withdraw': { body: { id } },
  'PUT /api/admin/training': {
    body: { pageKey: 'usage', title: 'How to', embedCode: 'https://youtu.be/dQw4w9WgXcQ', isActive: true },
  },
  'PUT /api/admin/training/loading': { body: { afterClick: false } },
  'DELETE /api/admin/training': { body: { pageKey: 'usage' } },
  'POST /api/admin/keap/save-credentials': { body: { client_id: 'a-client', client_secret: 'a-secret' } },
  'GET /api/admin/keap/tags': { query: { offset: '0', limit: '250' } },
  'POST /api/admin/keap/required-tags': { body: { tags: [{ tag_id: id, tag_name: 'Member' }] } },
  'DELETE /api/admin/keap/required-tags-delete': { query: { tag_id: id } },
  'GET /api/admin/audit': { query: { group: 'access', actor: id, target: email, from: LONG_AGO, before: '100' } },
  'GET /api/admin/audit.csv': { query: { group: 'access', actor: id, target: email, from: LONG_AGO } },
  'GET /api/admin/keap/user-access': { query: { email } },
});
