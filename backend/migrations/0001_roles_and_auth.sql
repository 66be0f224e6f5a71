-- What hosted Supabase brings along and the product schema relies on: the three API roles, the auth schema and its helpers.

do $$
declare
  api_role text;
begin
  foreach api_role in array array['anon', 'authenticated', 'service_role'] loop
    if not exists (select from pg_roles where rolname = api_role) then
      execute format('create role %I nologin noinherit', api_role);
    end if;
    execute format('grant %I to current_user', api_role);
  end loop;
end
$$;

create schema auth;
grant usage on schema auth to anon, authenticated, service_role;

create function auth.jwt() returns jsonb language sql stable
as $$ select nullif(current_setting('request.jwt.claims', true), '')::jsonb $$;

create function auth.uid() returns uuid language sql stable
as $$ select nullif(auth.jwt() ->> 'sub', '')::uuid $$;

create function auth.role() returns text language sql stable
as $$ select auth.jwt() ->> 'role' $$;

create table auth.users (
  id uuid primary key default gen_random_uuid(),
  aud text not null default 'authenticated',
  role text not null default 'authenticated',
  email text,
  email_confirmed_at timestamptz,
  phone text,
  phone_confirmed_at timestamptz,
  invited_at timestamptz,
  confirmation_sent_at timestamptz,
  recovery_sent_at timestamptz,
  last_sign_in_at timestamptz,
  banned_until timestamptz,
  raw_app_meta_data jsonb not null default '{}',
  raw_user_meta_data jsonb not null default '{}',
  is_anonymous boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index users_email_key on auth.users (lower(email)) where email is not null;
create unique index users_phone_key on auth.users (phone) where phone is not null;

create table auth.identities (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  provider text not null,
  provider_id text not null,
  identity_data jsonb not null default '{}',
  last_sign_in_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider, provider_id)
);
create index identities_user_id_idx on auth.identities (user_id);

create table auth.sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  aal text not null default 'aal1',
  amr jsonb not null default '[]',
  user_agent text,
  ip inet,
  created_at timestamptz not null default now(),
  refreshed_at timestamptz,
  not_after timestamptz
);
create index sessions_user_id_idx on auth.sessions (user_id);

create table auth.refresh_tokens (
  id uuid primary key default gen_random_uuid(),
  session_id uuid not null references auth.sessions on delete cascade,
  token_hash bytea not null unique,
  parent_id uuid references auth.refresh_tokens on delete set null,
  -- The next token, sealed, so that parallel refreshes of one token can be given the same child.
  sealed_child text,
  used_at timestamptz,
  created_at timestamptz not null default now()
);
create index refresh_tokens_session_id_idx on auth.refresh_tokens (session_id);
create index refresh_tokens_parent_id_idx on auth.refresh_tokens (parent_id);

-- A PKCE flow: from the request for a link, through the click that issues the code, to the exchange that deletes it.
create table auth.flow_state (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  auth_code_hash bytea unique,
  code_challenge text not null,
  code_challenge_method text not null check (code_challenge_method in ('s256', 'plain')),
  authentication_method text not null,
  auth_code_issued_at timestamptz,
  created_at timestamptz not null default now()
);
create index flow_state_user_id_idx on auth.flow_state (user_id);
create index flow_state_created_at_idx on auth.flow_state (created_at);

-- One mail: its link and its code.
create table auth.one_time_tokens (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  token_type text not null check (token_type in ('magiclink', 'signup', 'invite', 'recovery', 'email_change_current', 'email_change_new', 'reauthentication')),
  email text not null,
  -- Null once the link was opened in a PKCE flow: until the session is made, the code of the same mail still works elsewhere.
  link_hash bytea unique,
  code_hash bytea not null,
  failed_guesses integer not null default 0,
  redirect_to text,
  -- Deleting a flow deletes its mail: without the flow, the link would sign in whoever opens it.
  flow_state_id uuid references auth.flow_state on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index one_time_tokens_user_id_idx on auth.one_time_tokens (user_id);
create index one_time_tokens_flow_state_id_idx on auth.one_time_tokens (flow_state_id);
create index one_time_tokens_expires_at_idx on auth.one_time_tokens (expires_at);

create table auth.signing_keys (
  kid text primary key,
  algorithm text not null default 'ES256',
  public_jwk jsonb not null,
  sealed_private_jwk text not null,
  status text not null check (status in ('standby', 'in_use', 'previously_used', 'revoked')),
  created_at timestamptz not null default now()
);
create unique index signing_keys_one_in_use on auth.signing_keys (status) where status = 'in_use';

do $$
declare
  one record;
begin
  for one in select tablename from pg_tables where schemaname = 'auth' loop
    execute format('alter table auth.%I enable row level security', one.tablename);
    execute format('alter table auth.%I force row level security', one.tablename);
    execute format('create policy server on auth.%I to service_role using (true) with check (true)', one.tablename);
    execute format('grant all on auth.%I to service_role', one.tablename);
  end loop;
end
$$;
