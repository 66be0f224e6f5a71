-- What administrators decide about calls beyond the law, and why. Nothing here opens an hour that the law closes.

create table app.calling_scopes (
  id bigint generated always as identity primary key,
  scope text not null check (scope in ('every_line', 'business_landlines')),
  reason text not null check (char_length(reason) between 3 and 500),
  decided_by uuid references auth.users on delete set null,
  decided_by_email text not null check (char_length(decided_by_email) <= 320),
  decided_at timestamptz not null default now()
);
comment on table app.calling_scopes is
  'Whose protection counts: the newest row holds, and without one every line. Rows are only added, so that each reason is kept.';
comment on column app.calling_scopes.scope is
  'business_landlines: rules that protect residences do not bind landlines, which someone has verified to be those of businesses.';
comment on column app.calling_scopes.decided_by_email is 'An administrator''s address, kept when the account is gone, as in the audit log.';
create index calling_scopes_decided_by_idx on app.calling_scopes (decided_by);

create table app.calling_rules (
  id uuid primary key default gen_random_uuid(),
  state text not null check (state ~ '^[A-Z]{2}$'),
  days smallint[] not null check (days <@ '{0,1,2,3,4,5,6}'::smallint[]),
  from_time text not null check (from_time ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  to_time text not null check (to_time ~ '^([01]\d|2[0-3]):[0-5]\d$' and to_time > from_time),
  cap_calls smallint check (cap_calls between 1 and 100),
  cap_hours smallint check (cap_hours between 1 and 720),
  effective_from date,
  effective_to date check (effective_to >= effective_from),
  reason text not null check (char_length(reason) between 3 and 500),
  added_by uuid references auth.users on delete set null,
  added_by_email text not null check (char_length(added_by_email) <= 320),
  added_at timestamptz not null default now(),
  ended_by uuid references auth.users on delete set null,
  ended_by_email text check (char_length(ended_by_email) <= 320),
  ended_at timestamptz,
  end_reason text check (char_length(end_reason) between 3 and 500),
  check ((cap_calls is null) = (cap_hours is null)),
  check ((ended_at is null) = (end_reason is null))
);
comment on table app.calling_rules is
  'Stricter rules of this workspace. Each applies beside the law, so it can only take hours away. An ended one stays, with the reason.';
comment on column app.calling_rules.state is 'Two letters, or US for everywhere.';
comment on column app.calling_rules.days is 'Days of the week on which calls may begin, from 0 (Sunday) to 6. None: never.';
create index calling_rules_added_by_idx on app.calling_rules (added_by);
create index calling_rules_ended_by_idx on app.calling_rules (ended_by);
create index calling_rules_in_force_idx on app.calling_rules (added_at) where ended_at is null;

do $$
declare
  one text;
begin
  foreach one in array array['calling_scopes', 'calling_rules'] loop
    execute format('alter table app.%I enable row level security', one);
    execute format('alter table app.%I force row level security', one);
    execute format('create policy server on app.%I to fairlead_worker, service_role using (true) with check (true)', one);
    execute format('grant select on app.%I to fairlead_worker', one);
  end loop;
end
$$;
grant select, insert on app.calling_scopes to service_role;
grant select, insert, update on app.calling_rules to service_role;

create function app.call_hold(status text, checked_at timestamptz, is_sandbox boolean, keys text[]) returns text
language sql stable security definer set search_path = '' as $$
  select case
    when exists (select from app.suppressions where key = any(keys)) then 'suppressed'
    when not exists (select from unnest(keys) as key where starts_with(key, 'phone:')) then 'no_phone'
    when is_sandbox and status <> 'not_checked' then 'sandbox_check'
    when status = 'litigator' then 'litigator'
    when status in ('safe', 'dnc') and (checked_at is null or checked_at < now() - interval '31 days') then 'check_expired'
    when status = 'dnc' then 'do_not_call'
    when status is distinct from 'safe' then case when checked_at is null then 'never_checked' else 'check_expired' end
  end
$$;
comment on function app.call_hold is
  'Why a lead may not be called whatever the hour, as far as the database knows. Null says that nothing is held against it here, and not that it may be called.';
revoke all on function app.call_hold from public;
grant execute on function app.call_hold to authenticated, fairlead_worker, service_role;

create view public.lead_calls with (security_invoker) as
  select lead.id, lead.list_id, lead.position,
    app.call_hold(lead.compliance_status, lead.compliance_checked_at, list.sandbox, lead.contact_keys) as hold
  from public.leads as lead join public.lists as list on list.id = lead.list_id;
comment on view public.lead_calls is
  'For each lead what the suppression list and the last check hold against a call. The law, its hours and its zones are not judged here.';
revoke all on public.lead_calls from anon, authenticated;
grant select on public.lead_calls to authenticated, service_role;
