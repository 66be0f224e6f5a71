-- Who may come in: profiles, invitations, the CRM, and the rules for sessions and second steps.

create table app.profiles (
  user_id uuid primary key references auth.users on delete cascade,
  email text not null,
  role text not null default 'user' check (role in ('user', 'admin')),
  status text not null default 'active' check (status in ('active', 'disabled')),
  last_sign_in_at timestamptz,
  crm_access text check (crm_access in ('granted', 'NO_CONTACT', 'MISSING_TAG', 'KEAP_ERROR')),
  crm_checked_at timestamptz,
  crm_granted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index profiles_email_key on app.profiles (lower(email));

create table app.invitations (
  id uuid primary key default gen_random_uuid(),
  email text not null,
  role text not null default 'user' check (role in ('user', 'admin')),
  invited_by uuid references auth.users on delete set null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  withdrawn_at timestamptz
);
create unique index invitations_open_email_key on app.invitations (lower(email))
  where accepted_at is null and withdrawn_at is null;

create table app.crm_connection (
  singleton boolean primary key default true check (singleton),
  client_id text,
  sealed_client_secret text,
  credentials_updated_at timestamptz,
  sealed_access_token text,
  sealed_refresh_token text,
  access_token_expires_at timestamptz,
  connected_at timestamptz,
  refreshed_at timestamptz,
  refresh_refused_at timestamptz,
  sandbox boolean not null default false
);
comment on column app.crm_connection.refresh_refused_at is
  'When the CRM last refused the refresh token. An administrator must connect again.';

create table app.crm_oauth_states (
  state_hash bytea primary key,
  browser_hash bytea not null,
  user_id uuid not null references auth.users on delete cascade,
  session_id uuid not null,
  client_id text not null,
  expires_at timestamptz not null
);
comment on table app.crm_oauth_states is
  'An administrator on the way to the CRM and back. The first callback that names it deletes it.';
create index crm_oauth_states_user_id_idx on app.crm_oauth_states (user_id);
comment on column app.crm_oauth_states.browser_hash is 'Of the cookie of the browser that started.';

create table app.required_tags (
  tag_id text primary key,
  tag_name text not null,
  added_by uuid references auth.users on delete set null,
  added_at timestamptz not null default now()
);

create table app.sign_in_rules (
  singleton boolean primary key default true check (singleton),
  second_step text not null default 'optional' check (second_step in ('optional', 'admins', 'everybody')),
  session_idle_hours integer not null default 720 check (session_idle_hours between 2 and 8760),
  session_max_hours integer not null default 2160 check (session_max_hours between 2 and 8760),
  updated_at timestamptz not null default now(),
  constraint idle_before_max check (session_idle_hours <= session_max_hours)
);
insert into app.sign_in_rules default values;
comment on column app.sign_in_rules.second_step is
  'Whom administrators require a second step of. Anyone with a verified factor is asked for it anyway.';
comment on column app.sign_in_rules.session_idle_hours is 'A session of our own backend ends after so long without use.';
comment on column app.sign_in_rules.session_max_hours is 'It ends so long after the sign-in at the latest.';

create table app.carried_sessions (
  id uuid primary key,
  user_id uuid not null references auth.users on delete cascade,
  token_hash bytea not null unique,
  user_agent text,
  ip inet,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  ends_at timestamptz not null,
  taken_at timestamptz
);
comment on table app.carried_sessions is
  'Sessions of our own backend that wait at hosted Supabase for the holder of their refresh token: it is exchanged once, for a '
  'session of Supabase''s. Filled only by a restore to hosted Supabase.';
create index carried_sessions_user_id_idx on app.carried_sessions (user_id);
create index carried_sessions_ends_at_idx on app.carried_sessions (ends_at);
comment on column app.carried_sessions.taken_at is 'Since when it is being exchanged.';

create table app.hook_deliveries (
  webhook_id text primary key,
  body_hash bytea not null,
  received_at timestamptz not null default now(),
  decided_at timestamptz,
  denial text
);
comment on table app.hook_deliveries is
  'What hosted Supabase has asked the gate by webhook. Kept for as long as a delivery could come again.';
create index hook_deliveries_received_at_idx on app.hook_deliveries (received_at);
comment on column app.hook_deliveries.denial is 'Why not. Null where it was allowed.';

create unlogged table app.rate_limits (
  bucket text not null,
  window_start timestamptz not null,
  hits integer not null default 1,
  primary key (bucket, window_start)
);
comment on table app.rate_limits is
  'Counting must not wait for the disk. A server that lost power may start to count again at zero.';

create function app.count_hit(bucket text, window_ms bigint, out hits integer, out resets_in_ms bigint)
language plpgsql set search_path = '' as $$
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
$$;
comment on function app.count_hit is
  'Counts one hit in the current fixed window of `window_ms`. Returns the hits in it and the ms until it ends.';

create function app.needs_second_step(who uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from auth.mfa_factors where user_id = who and status = 'verified')
    or exists (
      select from app.sign_in_rules as rules join app.profiles as profile on profile.user_id = who
      where rules.second_step = 'everybody' or (rules.second_step = 'admins' and profile.role = 'admin')
    );
end
$$;
comment on function app.needs_second_step is
  'Whether someone''s sessions are worth nothing before they have proven a factor. The names are those of hosted Supabase.';

create function app.people_with_second_step() returns setof uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  return query select distinct user_id from auth.mfa_factors where status = 'verified';
end
$$;
comment on function app.people_with_second_step is 'Everyone with a verified factor, for the list of users.';

create function app.is_active() returns boolean language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from app.profiles where user_id = auth.uid() and status = 'active')
    and (
      nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'aal' is not distinct from 'aal2'
      or not app.needs_second_step(auth.uid())
    );
end
$$;
comment on function app.is_active is
  'Every policy for browsers asks this of its caller, by the function''s oid: roles without usage on schema app cannot call it '
  'themselves. In PL/pgSQL, because PostgreSQL before 18 plans a function in SQL again for each statement that asks.';

create function app.standing_of(
  address text, out role text, out status text, out crm_connected_at timestamptz, out required_tags text[]
) language plpgsql stable set search_path = '' as $$
begin
  select profile.role, profile.status, crm.connected_at, crm.tags into role, status, crm_connected_at, required_tags
  from (
    select max(connection.connected_at) as connected_at, array_agg(tag.tag_id) as tags
    from app.crm_connection as connection cross join app.required_tags as tag
    where connection.connected_at is not null
  ) as crm
  left join app.profiles as profile on lower(profile.email) = lower(address);
end
$$;
comment on function app.standing_of is
  'What decides about someone who comes by an address, in one look: their profile, and the CRM''s connection with the tags it '
  'requires. The CRM''s values are null where it has no say. A function is planned once for a connection, behind a pooler too.';

do $$
declare
  one text;
begin
  foreach one in array array[
    'profiles', 'invitations', 'crm_connection', 'crm_oauth_states', 'required_tags', 'sign_in_rules', 'carried_sessions',
    'hook_deliveries', 'rate_limits'
  ] loop
    execute format('alter table app.%I enable row level security', one);
    execute format('alter table app.%I force row level security', one);
    execute format('create policy server on app.%I to service_role using (true) with check (true)', one);
    execute format('grant select, insert, update, delete on app.%I to service_role', one);
  end loop;
  foreach one in array array['profiles', 'crm_connection', 'carried_sessions', 'rate_limits'] loop
    execute format('alter policy server on app.%I to service_role, fairlead_worker', one);
  end loop;
end
$$;
revoke insert, delete on app.sign_in_rules from service_role;
-- The CRM's keeper.
grant select, update on app.crm_connection to fairlead_worker;
-- The daily sweep sees when a session ends, and nothing else of it.
grant select (user_id, email) on app.profiles to fairlead_worker;
grant select (ends_at), delete on app.carried_sessions to fairlead_worker;
grant select, delete on app.rate_limits to fairlead_worker;

revoke all on all functions in schema app from public;
grant execute on function app.is_active() to authenticated;
grant execute on all functions in schema app to service_role;
