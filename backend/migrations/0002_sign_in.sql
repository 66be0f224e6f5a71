-- People, their sessions, and what signs them in. Tables and columns have GoTrue's names where GoTrue has them.

create table auth.users (
  id uuid primary key default gen_random_uuid(),
  aud text not null default 'authenticated',
  role text not null default 'authenticated',
  email text,
  email_confirmed_at timestamptz,
  email_change text,
  email_change_sent_at timestamptz,
  email_change_confirm_status smallint not null default 0 check (email_change_confirm_status in (0, 1)),
  phone text,
  phone_confirmed_at timestamptz,
  phone_change text,
  phone_change_sent_at timestamptz,
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
comment on column auth.users.email_change_confirm_status is '1 once one of the two mailboxes has confirmed.';

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

create table auth.mfa_factors (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  friendly_name text not null default '',
  factor_type text not null check (factor_type in ('totp', 'phone')),
  status text not null default 'unverified' check (status in ('unverified', 'verified')),
  sealed_secret text,
  phone text,
  last_step bigint,
  last_challenged_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((factor_type = 'totp') = (sealed_secret is not null)),
  check ((factor_type = 'phone') = (phone is not null))
);
create index mfa_factors_user_id_idx on auth.mfa_factors (user_id);
comment on column auth.mfa_factors.last_step is 'The time step of the last code that was taken. No code is taken twice.';

create table auth.sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  aal text not null default 'aal1',
  amr jsonb not null default '[]',
  factor_id uuid references auth.mfa_factors on delete set null,
  proven_at timestamptz,
  user_agent text,
  ip inet,
  created_at timestamptz not null default now(),
  refreshed_at timestamptz,
  not_after timestamptz
) with (fillfactor = 70);
comment on table auth.sessions is
  'Rows of sessions and refresh tokens are updated at least once. Room beside the first version spares their indexes.';
create index sessions_user_id_idx on auth.sessions (user_id);
create index sessions_factor_id_idx on auth.sessions (factor_id) where factor_id is not null;
comment on column auth.sessions.factor_id is 'The factor that raised the session to aal2.';
comment on column auth.sessions.proven_at is
  'When the person last proved who they are: by a code from their mailbox or a second step. Null: when they signed in.';

create table auth.refresh_tokens (
  id uuid primary key default gen_random_uuid(),
  session_id uuid not null references auth.sessions on delete cascade,
  token_hash bytea not null unique,
  parent_id uuid,
  sealed_child text,
  used_at timestamptz,
  created_at timestamptz not null default now()
) with (fillfactor = 50);
create index refresh_tokens_session_id_idx on auth.refresh_tokens (session_id);
-- For the sweep of tokens used long ago. Costs next to nothing to keep up.
create index refresh_tokens_created_at_idx on auth.refresh_tokens using brin (created_at);
comment on column auth.refresh_tokens.parent_id is 'No foreign key: a child may outlive its parent.';
comment on column auth.refresh_tokens.sealed_child is
  'The next token, sealed, so that parallel refreshes of one token get the same child.';

create table auth.flow_state (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  auth_code_hash bytea unique,
  code_challenge text not null,
  code_challenge_method text not null check (code_challenge_method = 's256'),
  authentication_method text not null,
  auth_code_issued_at timestamptz,
  user_metadata jsonb,
  created_at timestamptz not null default now()
);
comment on table auth.flow_state is
  'A PKCE flow: from the request for a link, through the click that issues the code, to the exchange that deletes it.';
create index flow_state_user_id_idx on auth.flow_state (user_id);
create index flow_state_created_at_idx on auth.flow_state (created_at);

create table auth.flow_challenges (
  id uuid primary key default gen_random_uuid(),
  flow_state_id uuid not null references auth.flow_state on delete cascade,
  asked_from text not null,
  code_challenge text not null,
  user_metadata jsonb,
  created_at timestamptz not null default now()
);
comment on table auth.flow_challenges is
  'Other browsers that may finish with the link of a flow: they asked while its mail was already on its way.';
create index flow_challenges_flow_state_id_idx on auth.flow_challenges (flow_state_id);
comment on column auth.flow_challenges.asked_from is 'A keyed hash of the network.';

create table auth.one_time_tokens (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  token_type text not null check (
    token_type in (
      'magiclink', 'signup', 'invite', 'recovery', 'email_change_current', 'email_change_new', 'reauthentication', 'sms', 'phone_change'
    )
  ),
  email text not null,
  link_hash bytea unique,
  code_hash bytea,
  code_number integer not null default 0,
  failed_guesses integer not null default 0,
  redirect_to text,
  flow_state_id uuid references auth.flow_state on delete cascade,
  session_id uuid references auth.sessions on delete cascade,
  asked_from text,
  user_metadata jsonb,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  code_expires_at timestamptz not null default now() + interval '10 minutes',
  expires_at timestamptz not null
);
comment on table auth.one_time_tokens is
  'One mail or text message: its link and its code. Each network that asks for a link to an address has a mail of its own.';
create index one_time_tokens_user_id_idx on auth.one_time_tokens (user_id);
create index one_time_tokens_flow_state_id_idx on auth.one_time_tokens (flow_state_id);
create index one_time_tokens_session_id_idx on auth.one_time_tokens (session_id) where session_id is not null;
create index one_time_tokens_expires_at_idx on auth.one_time_tokens (expires_at);
comment on column auth.one_time_tokens.email is 'The address, or the number that a text message went to: digits only, as GoTrue keeps it.';
comment on column auth.one_time_tokens.link_hash is
  'Null once the link was opened in a PKCE flow. Until the session is made, the code of the same mail still works elsewhere.';
comment on column auth.one_time_tokens.code_hash is 'Null once too many wrong guesses were made. The link of the same mail still works.';
comment on column auth.one_time_tokens.code_number is 'Counts up when the mail is sent again after its code was burnt.';
comment on column auth.one_time_tokens.flow_state_id is
  'Deleting a flow deletes its mail: without the flow, the link would sign in anyone who opens it.';
comment on column auth.one_time_tokens.session_id is
  'The session that the code was mailed for. No other one can use it. Null for mails that sign in.';
comment on column auth.one_time_tokens.asked_from is
  'A keyed hash of the network. Null when a signed-in person or the admin API asked.';
comment on column auth.one_time_tokens.user_metadata is
  'What the caller said about themselves. It counts once the mail has signed its reader in.';
comment on column auth.one_time_tokens.sent_at is 'Null until the mail is on its way.';
comment on column auth.one_time_tokens.code_expires_at is 'A typed code ends sooner than the link beside it: six digits can be guessed.';

create table auth.oauth_flows (
  id uuid primary key default gen_random_uuid(),
  provider text not null,
  state_hash bytea unique,
  auth_code_hash bytea unique,
  auth_code_issued_at timestamptz,
  redirect_to text not null,
  code_challenge text,
  code_challenge_method text check (code_challenge_method = 's256'),
  session_id uuid references auth.sessions on delete cascade,
  identity jsonb,
  created_at timestamptz not null default now(),
  check ((code_challenge is null) = (code_challenge_method is null)),
  -- Otherwise someone could send another person to the provider and link that person's identity to their own account.
  check (session_id is null or code_challenge is not null)
);
comment on table auth.oauth_flows is
  'A sign-in at another provider: from the way out, through the way back that issues a code, to the exchange that deletes it.';
create index oauth_flows_session_id_idx on auth.oauth_flows (session_id);
create index oauth_flows_created_at_idx on auth.oauth_flows (created_at);
comment on column auth.oauth_flows.state_hash is 'Null once the browser has come back.';
comment on column auth.oauth_flows.code_challenge is 'Null in an implicit flow.';
comment on column auth.oauth_flows.session_id is 'The session that an identity is to be linked in. The flow ends with it.';
comment on column auth.oauth_flows.identity is 'Who it is, as the provider said.';

create table auth.known_networks (
  user_id uuid not null references auth.users on delete cascade,
  network text not null,
  seen_at timestamptz not null default now(),
  primary key (user_id, network)
);
comment on table auth.known_networks is
  'Networks from which someone has signed in. Strangers do not use up what is asked for from there.';
create index known_networks_seen_at_idx on auth.known_networks (seen_at);
comment on column auth.known_networks.network is 'A keyed hash.';

create table auth.mfa_challenges (
  id uuid primary key default gen_random_uuid(),
  factor_id uuid not null references auth.mfa_factors on delete cascade,
  session_id uuid not null references auth.sessions on delete cascade,
  code_hash bytea,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
comment on table auth.mfa_challenges is 'What a session has been asked to prove.';
create index mfa_challenges_factor_id_idx on auth.mfa_challenges (factor_id);
create index mfa_challenges_session_id_idx on auth.mfa_challenges (session_id);
create index mfa_challenges_expires_at_idx on auth.mfa_challenges (expires_at);
comment on column auth.mfa_challenges.code_hash is 'Of the code that went out in a text message.';

create table auth.recovery_codes (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  set_id uuid not null,
  code_hash bytea not null,
  used_at timestamptz,
  created_at timestamptz not null default now(),
  unique (user_id, code_hash)
);
comment on table auth.recovery_codes is 'Codes that stand in for a lost second step. Each works once.';
comment on column auth.recovery_codes.set_id is 'All of a person''s codes share it.';

create table auth.signing_keys (
  kid text primary key,
  algorithm text not null default 'ES256',
  public_jwk jsonb not null,
  sealed_private_jwk text not null,
  status text not null check (status in ('standby', 'in_use', 'previously_used', 'revoked')),
  created_at timestamptz not null default now(),
  retired_at timestamptz
);
create unique index signing_keys_one_in_use on auth.signing_keys (status) where status = 'in_use';
create unique index signing_keys_one_standby on auth.signing_keys (status) where status = 'standby';
comment on column auth.signing_keys.retired_at is
  'When another key took its place. Its tokens are accepted until they have expired.';

do $$
declare
  one record;
begin
  for one in select tablename from pg_tables where schemaname = 'auth' loop
    execute format('alter table auth.%I enable row level security', one.tablename);
    execute format('alter table auth.%I force row level security', one.tablename);
    execute format('create policy server on auth.%I to service_role using (true) with check (true)', one.tablename);
    execute format('grant select, insert, update, delete on auth.%I to service_role', one.tablename);
  end loop;
end
$$;

create function auth.tell_session_end() returns trigger language plpgsql set search_path = '' as $$
begin
  perform pg_notify('session_ended', old.id::text);
  return null;
end
$$;
comment on function auth.tell_session_end is 'Responses that stay open for long end with the session that asked for them.';
create trigger tell_session_end after delete on auth.sessions
  for each row execute function auth.tell_session_end();

create function auth.drop_recovery_codes() returns trigger language plpgsql set search_path = '' as $$
begin
  if exists (select from auth.mfa_factors as f where f.user_id = old.user_id and f.status = 'verified') then
    return null;
  end if;
  delete from auth.recovery_codes as c where c.user_id = old.user_id;
  update auth.sessions as s
  set aal = 'aal1', amr = jsonb_path_query_array(s.amr, '$[*] ? (@.method != "mfa/recovery_code")')
  where s.user_id = old.user_id and s.aal = 'aal2' and s.amr @> '[{"method": "mfa/recovery_code"}]';
  return null;
end
$$;
comment on function auth.drop_recovery_codes is
  'Recovery codes go with the last verified factor, and so does what they raised sessions to: nothing is left that they stood in '
  'for.';
create trigger drop_recovery_codes after delete on auth.mfa_factors
  for each row when (old.status = 'verified') execute function auth.drop_recovery_codes();
revoke all on function auth.tell_session_end, auth.drop_recovery_codes from public;
