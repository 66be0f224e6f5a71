-- What administrators decide about calls beyond the law, and what the database holds against a call.
-- Written by `npm run db:types` from the migrations. Do not edit.

-- Whose protection counts: the newest row holds, and without one every line. Rows are only added, so that each reason is kept.
create table app.calling_scopes (
  id bigint not null generated always as identity,
  scope text not null, -- business_landlines: rules that protect residences do not bind landlines, which someone has verified to be those of businesses.
  reason text not null,
  decided_by uuid,
  decided_by_email text not null, -- An administrator's address, kept when the account is gone, as in the audit log.
  decided_at timestamptz not null default now(),
  constraint calling_scopes_pkey primary key (id),
  constraint calling_scopes_decided_by_fkey foreign key (decided_by) references auth.users(id) on delete set null,
  constraint calling_scopes_decided_by_email_check check (char_length(decided_by_email) <= 320),
  constraint calling_scopes_reason_check check (char_length(reason) >= 3 and char_length(reason) <= 500),
  constraint calling_scopes_scope_check check (scope in ('every_line', 'business_landlines'))
);
create index calling_scopes_decided_by_idx on app.calling_scopes (decided_by);
alter table app.calling_scopes enable row level security;
alter table app.calling_scopes force row level security;
create policy server on app.calling_scopes to fairlead_worker, service_role
  using (true)
  with check (true);
grant select on app.calling_scopes to fairlead_worker;
grant select, insert on app.calling_scopes to service_role;

-- Stricter rules of this workspace. Each applies beside the law, so it can only take hours away. An ended one stays, with the
-- reason.
create table app.calling_rules (
  id uuid not null default gen_random_uuid(),
  state text not null, -- Two letters, or US for everywhere.
  days smallint[] not null, -- Days of the week on which calls may begin, from 0 (Sunday) to 6. None: never.
  from_time text not null,
  to_time text not null,
  cap_calls smallint,
  cap_hours smallint,
  effective_from date,
  effective_to date,
  reason text not null,
  added_by uuid,
  added_by_email text not null,
  added_at timestamptz not null default now(),
  ended_by uuid,
  ended_by_email text,
  ended_at timestamptz,
  end_reason text,
  constraint calling_rules_pkey primary key (id),
  constraint calling_rules_added_by_fkey foreign key (added_by) references auth.users(id) on delete set null,
  constraint calling_rules_ended_by_fkey foreign key (ended_by) references auth.users(id) on delete set null,
  constraint calling_rules_added_by_email_check check (char_length(added_by_email) <= 320),
  constraint calling_rules_cap_calls_check check (cap_calls >= 1 and cap_calls <= 100),
  constraint calling_rules_cap_hours_check check (cap_hours >= 1 and cap_hours <= 720),
  constraint calling_rules_check check (to_time ~ '^([01]\d|2[0-3]):[0-5]\d$' and to_time > from_time),
  constraint calling_rules_check1 check (effective_to >= effective_from),
  constraint calling_rules_check2 check ((cap_calls is null) = (cap_hours is null)),
  constraint calling_rules_check3 check ((ended_at is null) = (end_reason is null)),
  constraint calling_rules_days_check check (days <@ '{0,1,2,3,4,5,6}'::smallint[]),
  constraint calling_rules_end_reason_check check (char_length(end_reason) >= 3 and char_length(end_reason) <= 500),
  constraint calling_rules_ended_by_email_check check (char_length(ended_by_email) <= 320),
  constraint calling_rules_from_time_check check (from_time ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  constraint calling_rules_reason_check check (char_length(reason) >= 3 and char_length(reason) <= 500),
  constraint calling_rules_state_check check (state ~ '^[A-Z]{2}$')
);
create index calling_rules_added_by_idx on app.calling_rules (added_by);
create index calling_rules_ended_by_idx on app.calling_rules (ended_by);
create index calling_rules_in_force_idx on app.calling_rules (added_at) where (ended_at is null);
alter table app.calling_rules enable row level security;
alter table app.calling_rules force row level security;
create policy server on app.calling_rules to fairlead_worker, service_role
  using (true)
  with check (true);
grant select on app.calling_rules to fairlead_worker;
grant select, insert, update on app.calling_rules to service_role;

-- For each lead what the suppression list, the last check and files of its owner hold against a call. The law, its hours and its
-- zones are not judged here.
create view public.lead_calls (
  id uuid,
  list_id uuid,
  "position" integer,
  hold text
) as
 select lead.id,
    lead.list_id,
    lead."position",
    coalesce(app.call_hold(lead.compliance_status, lead.compliance_checked_at, list.sandbox, lead.contact_keys),
        case
            when app.is_told_not_to_call(lead.contact_keys[1], list.user_id) then 'told_by_file'
            else null::text
        end) as hold from public.leads lead
     JOIN public.lists list on list.id = lead.list_id;
alter table public.lead_calls set (security_invoker=true);
grant select on public.lead_calls to authenticated;
grant select on public.lead_calls to service_role;

-- Why a lead may not be called whatever the hour, as far as the database knows. Null says that nothing is held against it here,
-- and not that it may be called.
-- May be called by: authenticated, fairlead_worker, service_role.
create function app.call_hold(status text, checked_at timestamptz, is_sandbox boolean, keys text[])
 returns text
 language sql
 stable security definer
 set search_path to ''
as $function$
  select case
    when exists (select from app.suppressions where key = any(keys)) then 'suppressed'
    when not exists (select from unnest(keys) as key where starts_with(key, 'phone:')) then 'no_phone'
    when is_sandbox and status <> 'not_checked' then 'sandbox_check'
    when status = 'litigator' then 'litigator'
    when status in ('safe', 'dnc') and (checked_at is null or checked_at < now() - interval '31 days') then 'check_expired'
    when status = 'dnc' then 'do_not_call'
    when status is distinct from 'safe' then case when checked_at is null then 'never_checked' else 'check_expired' end
  end
$function$;

-- Whether a file of someone says of a number, by its key, that it must not be called.
-- May be called by: authenticated, fairlead_worker, service_role.
create function app.is_told_not_to_call(phone_key text, owner uuid)
 returns boolean
 language sql
 stable security definer
 set search_path to ''
as $function$
  select exists (
    select from (
      select list_id from public.leads where app.tells_no_calls(extra) and contact_keys[1] = phone_key offset 0
    ) as told join public.lists as list on list.id = told.list_id
    where list.user_id = owner
  )
$function$;
