/** One file of db/schema: what it is about, and the tables, types and functions in it, in the order in which they stand. */
export type Topic = {
  file: string;
  about: string;
  tables: readonly string[];
  types?: readonly string[];
  functions: readonly string[];
};

/** Where each table and function is described. A new one needs a place here. */
export const TOPICS: readonly Topic[] = [
  {
    file: 'sign-in.sql',
    about:
      'People, their sessions, and what signs them in. Only with our own backend: hosted Supabase has its own schema auth.',
    tables: [
      'auth.users',
      'auth.identities',
      'auth.sessions',
      'auth.refresh_tokens',
      'auth.one_time_tokens',
      'auth.flow_state',
      'auth.flow_challenges',
      'auth.oauth_flows',
      'auth.known_networks',
      'auth.mfa_factors',
      'auth.mfa_challenges',
      'auth.recovery_codes',
      'auth.signing_keys',
    ],
    functions: [
      'auth.jwt',
      'auth.uid',
      'auth.role',
      'auth.session_ends_at',
      'auth.begin_refresh',
      'auth.spend_refresh_token',
      'auth.tell_session_end',
      'auth.drop_recovery_codes',
    ],
  },
  {
    file: 'gate.sql',
    about: 'Who may come in: profiles, invitations, the CRM, and the rules for sessions and second steps.',
    tables: [
      'app.profiles',
      'app.invitations',
      'app.crm_connection',
      'app.crm_oauth_states',
      'app.required_tags',
      'app.sign_in_rules',
      'app.carried_sessions',
      'app.hook_deliveries',
      'app.rate_limits',
    ],
    functions: [
      'app.is_active',
      'app.needs_second_step',
      'app.people_with_second_step',
      'app.standing_of',
      'app.count_hit',
    ],
  },
  {
    file: 'lists-and-leads.sql',
    about: 'Lists and their leads, which browsers read and write under row-level security, and when lists are deleted.',
    tables: ['public.lists', 'public.leads', 'app.deletion_warnings', 'app.daily_sweep'],
    functions: [
      'app.keep_list_clock',
      'app.is_bound_by_limits',
      'app.limit_lists',
      'app.keep_kind',
      'app.keep_leads_to_kind',
    ],
  },
  {
    file: 'runs.sql',
    about: 'Runs, the keys they use, and when a call may leave.',
    tables: [
      'app.provider_keys',
      'app.runs',
      'app.call_spacing',
      'app.call_rates',
      'app.calls_in_flight',
      'app.provider_circuits',
    ],
    functions: [
      'app.decide_kind_of_list',
      'app.cancel_runs_of_list',
      'app.key_is_of_other_kind',
      'app.take_slot',
      'app.try_slot',
      'app.take_place',
      'app.ask_circuit',
      'app.break_circuit',
    ],
  },
  {
    file: 'surveys.sql',
    about: 'Surveys: which places Google has in an area, counted for nothing, and the leaves that prove it.',
    tables: ['app.surveys', 'app.survey_tiles', 'app.survey_places', 'app.list_surveys'],
    functions: [],
  },
  {
    file: 'websites.sql',
    about: 'What the websites of businesses told, and whose turn it is to ask one.',
    tables: ['app.website_answers', 'app.website_turns'],
    functions: ['app.take_website_turn', 'app.end_website_turn'],
  },
  {
    file: 'ledger.sql',
    about: 'Every paid call, what it answered, what was spared by an earlier answer, and the sums of all this.',
    types: ['app.ledger_change'],
    tables: ['app.paid_calls', 'app.answers', 'app.recalls', 'app.ledger_days'],
    functions: [
      'app.book_sent',
      'app.ledger_change_of',
      'app.add_to_ledger_days',
      'app.sum_new_calls',
      'app.sum_changed_calls',
      'app.sum_recalls',
    ],
  },
  {
    file: 'budgets.sql',
    about: 'Limits on spending, and what a month has cost so far.',
    tables: ['app.budgets', 'app.budget_notices', 'app.kept_limits', 'app.kept_spending', 'app.earlier_spending'],
    functions: ['app.money_of_month'],
  },
  {
    file: 'usage.sql',
    about: 'What the usage page reads: sums by day and by list, and what providers say is left.',
    tables: ['app.usage_days', 'app.usage_lists', 'app.meter_readings'],
    functions: ['app.name_list_of_run'],
  },
  {
    file: 'live.sql',
    about: 'How open pages learn of changes. The schema realtime is there only with our own backend.',
    tables: ['realtime.processes', 'realtime.messages', 'app.live_lease'],
    functions: [
      'realtime.topic',
      'realtime.rights',
      'realtime.tell_change',
      'realtime.answer_for',
      'realtime.watch',
      'realtime.visible in public.lists',
      'realtime.visible in public.leads',
      'app.tell_list_change',
      'app.tell_run_change',
    ],
  },
  {
    file: 'storage.sql',
    about: 'Kept files. Hosted Supabase has its own schema storage; the policies and app functions are the same there.',
    tables: ['storage.buckets', 'storage.objects'],
    functions: [
      'storage.filename',
      'storage.extension',
      'storage.foldername',
      'app.owns_export',
      'app.may_keep_export',
    ],
  },
  {
    file: 'audit.sql',
    about: 'Who did what, kept for 400 days, and refusals for 90.',
    tables: ['app.audit_log'],
    functions: ['app.keep_audit_log', 'app.refuse_change'],
  },
  {
    file: 'training.sql',
    about: 'Training videos and how they are shown.',
    tables: ['app.training_videos', 'app.training_settings'],
    functions: [],
  },
  {
    file: 'suppressions.sql',
    about: 'Who must not be contacted any more, and under which keys a contact is found.',
    tables: ['app.suppressions'],
    functions: [
      'app.phone_key',
      'app.email_key',
      'app.host_key',
      'app.company_key',
      'app.suppression_key',
      'app.contact_keys',
    ],
  },
];
