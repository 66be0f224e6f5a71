-- Who may come in: profiles, invitations, the CRM, and the rules for sessions and second steps.
-- Written by `npm run db:types` from the migrations. Do not edit.

create table app.profiles (
  user_id uuid not null,
  email text not null,
  role text not null default 'user',
  status text not null default 'active',
  last_sign_in_at timestamptz,
  crm_access text,
  crm_checked_at timestamptz,
  crm_granted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint profiles_pkey primary key (user_id),
  constraint profiles_user_id_fkey foreign key (user_id) references auth.users(id) on delete cascade,
  constraint profiles_crm_access_check check (crm_access in ('granted', 'NO_CONTACT', 'MISSING_TAG', 'KEAP_ERROR')),
  constraint profiles_role_check check (role in ('user', 'admin')),
  constraint profiles_status_check check (status in ('active', 'disabled'))
);
create unique index profiles_email_key on app.profiles (lower(email));
alter table app.profiles enable row level security;
alter table app.profiles force row level security;
create policy server on app.profiles to fairlead_worker, service_role
  using (true)
  with check (true);
grant select (user_id, email) on app.profiles to fairlead_worker;
grant select, insert, update, delete on app.profiles to service_role;

create table app.invitations (
  id uuid not null default gen_random_uuid(),
  email text not null,
  role text not null default 'user',
  invited_by uuid,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  withdrawn_at timestamptz,
  constraint invitations_pkey primary key (id),
  constraint invitations_invited_by_fkey foreign key (invited_by) references auth.users(id) on delete set null,
  constraint invitations_role_check check (role in ('user', 'admin'))
);
create unique index invitations_open_email_key on app.invitations (lower(email)) where ((accepted_at is null) and (withdrawn_at is null));
alter table app.invitations enable row level security;
alter table app.invitations force row level security;
create policy server on app.invitations to service_role
  using (true)
  with check (true);
grant select, insert, update, delete on app.invitations to service_role;

create table app.crm_connection (
  singleton boolean not null default true,
  client_id text,
  sealed_client_secret text,
  credentials_updated_at timestamptz,
  sealed_access_token text,
  sealed_refresh_token text,
  access_token_expires_at timestamptz,
  connected_at timestamptz,
  refreshed_at timestamptz,
  refresh_refused_at timestamptz, -- When the CRM last refused the refresh token. An administrator must connect again.
  sandbox boolean not null default false,
  account text, -- What the CRM calls the account that was connected last. Null where it did not say: then each connection is to another one.
  account_since timestamptz, -- When that account took the place of another.
  constraint crm_connection_pkey primary key (singleton),
  constraint crm_connection_singleton_check check (singleton)
);
alter table app.crm_connection enable row level security;
alter table app.crm_connection force row level security;
create policy server on app.crm_connection to fairlead_worker, service_role
  using (true)
  with check (true);
grant select, update on app.crm_connection to fairlead_worker;
grant select, insert, update, delete on app.crm_connection to service_role;

-- An administrator on the way to the CRM and back. The first callback that names it deletes it.
create table app.crm_oauth_states (
  state_hash bytea not null,
  browser_hash bytea not null, -- Of the cookie of the browser that started.
  user_id uuid not null,
  session_id uuid not null,
  client_id text not null,
  expires_at timestamptz not null,
  constraint crm_oauth_states_pkey primary key (state_hash),
  constraint crm_oauth_states_user_id_fkey foreign key (user_id) references auth.users(id) on delete cascade
);
create index crm_oauth_states_user_id_idx on app.crm_oauth_states (user_id);
alter table app.crm_oauth_states enable row level security;
alter table app.crm_oauth_states force row level security;
create policy server on app.crm_oauth_states to service_role
  using (true)
  with check (true);
grant select, insert, update, delete on app.crm_oauth_states to service_role;

create table app.required_tags (
  tag_id text not null,
  tag_name text not null,
  added_by uuid,
  added_at timestamptz not null default now(),
  constraint required_tags_pkey primary key (tag_id),
  constraint required_tags_added_by_fkey foreign key (added_by) references auth.users(id) on delete set null
);
alter table app.required_tags enable row level security;
alter table app.required_tags force row level security;
create policy server on app.required_tags to service_role
  using (true)
  with check (true);
grant select, insert, update, delete on app.required_tags to service_role;

create table app.sign_in_rules (
  singleton boolean not null default true,
  second_step text not null default 'optional', -- Whom administrators require a second step of. Anyone with a verified factor is asked for it anyway.
  session_idle_hours integer not null default 720, -- A session of our own backend ends after so long without use.
  session_max_hours integer not null default 2160, -- It ends so long after the sign-in at the latest.
  updated_at timestamptz not null default now(),
  constraint sign_in_rules_pkey primary key (singleton),
  constraint idle_before_max check (session_idle_hours <= session_max_hours),
  constraint sign_in_rules_second_step_check check (second_step in ('optional', 'admins', 'everybody')),
  constraint sign_in_rules_session_idle_hours_check check (session_idle_hours >= 2 and session_idle_hours <= 8760),
  constraint sign_in_rules_session_max_hours_check check (session_max_hours >= 2 and session_max_hours <= 8760),
  constraint sign_in_rules_singleton_check check (singleton)
);
alter table app.sign_in_rules enable row level security;
alter table app.sign_in_rules force row level security;
create policy server on app.sign_in_rules to service_role
  using (true)
  with check (true);
grant select, update on app.sign_in_rules to service_role;

-- Sessions of our own backend that wait at hosted Supabase for the holder of their refresh token: it is exchanged once, for a
-- session of Supabase's. Filled only by a restore to hosted Supabase.
create table app.carried_sessions (
  id uuid not null,
  user_id uuid not null,
  token_hash bytea not null,
  user_agent text,
  ip inet,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  ends_at timestamptz not null,
  taken_at timestamptz, -- Since when it is being exchanged.
  constraint carried_sessions_pkey primary key (id),
  constraint carried_sessions_token_hash_key unique (token_hash),
  constraint carried_sessions_user_id_fkey foreign key (user_id) references auth.users(id) on delete cascade
);
create index carried_sessions_ends_at_idx on app.carried_sessions (ends_at);
create index carried_sessions_user_id_idx on app.carried_sessions (user_id);
alter table app.carried_sessions enable row level security;
alter table app.carried_sessions force row level security;
create policy server on app.carried_sessions to fairlead_worker, service_role
  using (true)
  with check (true);
grant select (ends_at), delete on app.carried_sessions to fairlead_worker;
grant select, insert, update, delete on app.carried_sessions to service_role;

-- What hosted Supabase has asked the gate by webhook. Kept for as long as a delivery could come again.
create table app.hook_deliveries (
  webhook_id text not null,
  body_hash bytea not null,
  received_at timestamptz not null default now(),
  decided_at timestamptz,
  denial text, -- Why not. Null where it was allowed.
  constraint hook_deliveries_pkey primary key (webhook_id)
);
create index hook_deliveries_received_at_idx on app.hook_deliveries (received_at);
alter table app.hook_deliveries enable row level security;
alter table app.hook_deliveries force row level security;
create policy server on app.hook_deliveries to service_role
  using (true)
  with check (true);
grant select, insert, update, delete on app.hook_deliveries to service_role;

-- Counting must not wait for the disk. A server that lost power may start to count again at zero.
create unlogged table app.rate_limits (
  bucket text not null,
  window_start timestamptz not null,
  hits integer not null default 1,
  constraint rate_limits_pkey primary key (bucket, window_start)
);
alter table app.rate_limits enable row level security;
alter table app.rate_limits force row level security;
create policy server on app.rate_limits to fairlead_worker, service_role
  using (true)
  with check (true);
grant select, delete on app.rate_limits to fairlead_worker;
grant select, insert, update, delete on app.rate_limits to service_role;

-- Every policy for browsers asks this of its caller, by the function's oid: roles without usage on schema app cannot call it
-- themselves. In PL/pgSQL, because PostgreSQL before 18 plans a function in SQL again for each statement that asks.
-- May be called by: authenticated, service_role.
create function app.is_active()
 returns boolean
 language plpgsql
 stable PARALLEL SAFE security definer
 set search_path to ''
as $function$
begin
  return exists (select from app.profiles where user_id = auth.uid() and status = 'active')
    and (
      nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'aal' is not distinct from 'aal2'
      or not app.needs_second_step(auth.uid())
    );
end
$function$;

-- Whether someone's sessions are worth nothing before they have proven a factor. The names are those of hosted Supabase.
-- May be called by: service_role.
create function app.needs_second_step(who uuid)
 returns boolean
 language plpgsql
 stable PARALLEL SAFE security definer
 set search_path to ''
as $function$
begin
  return exists (select from auth.mfa_factors where user_id = who and status = 'verified')
    or exists (
      select from app.sign_in_rules as rules join app.profiles as profile on profile.user_id = who
      where rules.second_step = 'everybody' or (rules.second_step = 'admins' and profile.role = 'admin')
    );
end
$function$;

-- Everyone with a verified factor, for the list of users.
-- May be called by: service_role.
create function app.people_with_second_step()
 returns setof uuid
 language plpgsql
 stable security definer
 set search_path to ''
as $function$
begin
  return query select distinct user_id from auth.mfa_factors where status = 'verified';
end
$function$;

-- What decides about someone who comes by an address, in one look: their profile, and the CRM's connection with the tags it
-- requires. The CRM's values are null where it has no say. A function is planned once for a connection, behind a pooler too.
-- May be called by: service_role.
create function app.standing_of(address text, out role text, out status text, out crm_connected_at timestamptz, out required_tags text[])
 returns record
 language plpgsql
 stable
 set search_path to ''
as $function$
begin
  select profile.role, profile.status, crm.connected_at, crm.tags into role, status, crm_connected_at, required_tags
  from (
    select max(connection.connected_at) as connected_at, array_agg(tag.tag_id) as tags
    from app.crm_connection as connection cross join app.required_tags as tag
    where connection.connected_at is not null
  ) as crm
  left join app.profiles as profile on lower(profile.email) = lower(address);
end
$function$;

-- Counts one hit in the current fixed window of `window_ms`. Returns the hits in it and the ms until it ends.
-- May be called by: service_role.
create function app.count_hit(bucket text, window_ms bigint, out hits integer, out resets_in_ms bigint)
 returns record
 language plpgsql
 set search_path to ''
as $function$
#variable_conflict use_column
declare
  now_ms bigint := floor(extract(epoch from clock_timestamp()) * 1000);
  start_ms bigint := now_ms - now_ms % window_ms;
begin
  insert into app.rate_limits as r (bucket, window_start)
  values (count_hit.bucket, to_timestamp(start_ms / 1000.0))
  on conflict (bucket, window_start) do update set hits = r.hits + 1
  returning r.hits into count_hit.hits;
  resets_in_ms := start_ms + window_ms - now_ms;
end
$function$;
