-- People, their sessions, and what signs them in. Only with our own backend: hosted Supabase has its own schema auth.
-- Written by `npm run db:types` from the migrations. Do not edit.

create table auth.users (
  id uuid not null default gen_random_uuid(),
  aud text not null default 'authenticated',
  role text not null default 'authenticated',
  email text,
  email_confirmed_at timestamptz,
  email_change text,
  email_change_sent_at timestamptz,
  email_change_confirm_status smallint not null default 0, -- 1 once one of the two mailboxes has confirmed.
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
  updated_at timestamptz not null default now(),
  constraint users_pkey primary key (id),
  constraint users_email_change_confirm_status_check check (email_change_confirm_status in (0, 1))
);
create unique index users_email_key on auth.users (lower(email)) where (email is not null);
create unique index users_phone_key on auth.users (phone) where (phone is not null);
alter table auth.users enable row level security;
alter table auth.users force row level security;
create policy server on auth.users to service_role
  using (true)
  with check (true);
grant select, insert, update, delete on auth.users to service_role;

create table auth.identities (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  provider text not null,
  provider_id text not null,
  identity_data jsonb not null default '{}',
  last_sign_in_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint identities_pkey primary key (id),
  constraint identities_provider_provider_id_key unique (provider, provider_id),
  constraint identities_user_id_fkey foreign key (user_id) references auth.users(id) on delete cascade
);
create index identities_user_id_idx on auth.identities (user_id);
alter table auth.identities enable row level security;
alter table auth.identities force row level security;
create policy server on auth.identities to service_role
  using (true)
  with check (true);
grant select, insert, update, delete on auth.identities to service_role;

-- Rows of sessions and refresh tokens are updated at least once. Room beside the first version spares their indexes.
create table auth.sessions (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  aal text not null default 'aal1',
  amr jsonb not null default '[]',
  factor_id uuid, -- The factor that raised the session to aal2.
  proven_at timestamptz, -- When the person last proved who they are: by a code from their mailbox or a second step. Null: when they signed in.
  user_agent text,
  ip inet,
  created_at timestamptz not null default now(),
  refreshed_at timestamptz,
  not_after timestamptz,
  constraint sessions_pkey primary key (id),
  constraint sessions_factor_id_fkey foreign key (factor_id) references auth.mfa_factors(id) on delete set null,
  constraint sessions_user_id_fkey foreign key (user_id) references auth.users(id) on delete cascade
);
create index sessions_factor_id_idx on auth.sessions (factor_id) where (factor_id is not null);
create index sessions_user_id_idx on auth.sessions (user_id);
alter table auth.sessions enable row level security;
alter table auth.sessions force row level security;
alter table auth.sessions set (fillfactor=70);
create policy server on auth.sessions to service_role
  using (true)
  with check (true);
grant select, insert, update, delete on auth.sessions to service_role;
create trigger tell_session_end after delete on auth.sessions for each row execute function auth.tell_session_end();

create table auth.refresh_tokens (
  id uuid not null default gen_random_uuid(),
  session_id uuid not null,
  token_hash bytea not null,
  parent_id uuid, -- No foreign key: a child may outlive its parent.
  sealed_child text, -- The next token, sealed, so that parallel refreshes of one token get the same child.
  used_at timestamptz,
  created_at timestamptz not null default now(),
  constraint refresh_tokens_pkey primary key (id),
  constraint refresh_tokens_token_hash_key unique (token_hash),
  constraint refresh_tokens_session_id_fkey foreign key (session_id) references auth.sessions(id) on delete cascade
);
create index refresh_tokens_created_at_idx on auth.refresh_tokens using brin (created_at);
create index refresh_tokens_session_id_idx on auth.refresh_tokens (session_id);
alter table auth.refresh_tokens enable row level security;
alter table auth.refresh_tokens force row level security;
alter table auth.refresh_tokens set (fillfactor=50);
create policy server on auth.refresh_tokens to service_role
  using (true)
  with check (true);
grant select, insert, update, delete on auth.refresh_tokens to service_role;

-- One mail or text message: its link and its code. Each network that asks for a link to an address has a mail of its own.
create table auth.one_time_tokens (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  token_type text not null,
  email text not null, -- The address, or the number that a text message went to: digits only, as GoTrue keeps it.
  link_hash bytea, -- Null once the link was opened in a PKCE flow. Until the session is made, the code of the same mail still works elsewhere.
  code_hash bytea, -- Null once too many wrong guesses were made. The link of the same mail still works.
  code_number integer not null default 0, -- Counts up when the mail is sent again after its code was burnt.
  failed_guesses integer not null default 0,
  redirect_to text,
  flow_state_id uuid, -- Deleting a flow deletes its mail: without the flow, the link would sign in anyone who opens it.
  session_id uuid, -- The session that the code was mailed for. No other one can use it. Null for mails that sign in.
  asked_from text, -- A keyed hash of the network. Null when a signed-in person or the admin API asked.
  user_metadata jsonb, -- What the caller said about themselves. It counts once the mail has signed its reader in.
  created_at timestamptz not null default now(),
  sent_at timestamptz, -- Null until the mail is on its way.
  code_expires_at timestamptz not null default now() + '00:10:00'::interval, -- A typed code ends sooner than the link beside it: six digits can be guessed.
  expires_at timestamptz not null,
  constraint one_time_tokens_pkey primary key (id),
  constraint one_time_tokens_link_hash_key unique (link_hash),
  constraint one_time_tokens_flow_state_id_fkey foreign key (flow_state_id) references auth.flow_state(id) on delete cascade,
  constraint one_time_tokens_session_id_fkey foreign key (session_id) references auth.sessions(id) on delete cascade,
  constraint one_time_tokens_user_id_fkey foreign key (user_id) references auth.users(id) on delete cascade,
  constraint one_time_tokens_token_type_check check (token_type in ('magiclink', 'signup', 'invite', 'recovery', 'email_change_current', 'email_change_new', 'reauthentication', 'sms', 'phone_change'))
);
create index one_time_tokens_expires_at_idx on auth.one_time_tokens (expires_at);
create index one_time_tokens_flow_state_id_idx on auth.one_time_tokens (flow_state_id);
create index one_time_tokens_session_id_idx on auth.one_time_tokens (session_id) where (session_id is not null);
create index one_time_tokens_user_id_idx on auth.one_time_tokens (user_id);
alter table auth.one_time_tokens enable row level security;
alter table auth.one_time_tokens force row level security;
create policy server on auth.one_time_tokens to service_role
  using (true)
  with check (true);
grant select, insert, update, delete on auth.one_time_tokens to service_role;

-- A PKCE flow: from the request for a link, through the click that issues the code, to the exchange that deletes it.
create table auth.flow_state (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  auth_code_hash bytea,
  code_challenge text not null,
  code_challenge_method text not null,
  authentication_method text not null,
  auth_code_issued_at timestamptz,
  user_metadata jsonb,
  created_at timestamptz not null default now(),
  constraint flow_state_pkey primary key (id),
  constraint flow_state_auth_code_hash_key unique (auth_code_hash),
  constraint flow_state_user_id_fkey foreign key (user_id) references auth.users(id) on delete cascade,
  constraint flow_state_code_challenge_method_check check (code_challenge_method = 's256')
);
create index flow_state_created_at_idx on auth.flow_state (created_at);
create index flow_state_user_id_idx on auth.flow_state (user_id);
alter table auth.flow_state enable row level security;
alter table auth.flow_state force row level security;
create policy server on auth.flow_state to service_role
  using (true)
  with check (true);
grant select, insert, update, delete on auth.flow_state to service_role;

-- Other browsers that may finish with the link of a flow: they asked while its mail was already on its way.
create table auth.flow_challenges (
  id uuid not null default gen_random_uuid(),
  flow_state_id uuid not null,
  asked_from text not null, -- A keyed hash of the network.
  code_challenge text not null,
  user_metadata jsonb,
  created_at timestamptz not null default now(),
  constraint flow_challenges_pkey primary key (id),
  constraint flow_challenges_flow_state_id_fkey foreign key (flow_state_id) references auth.flow_state(id) on delete cascade
);
create index flow_challenges_flow_state_id_idx on auth.flow_challenges (flow_state_id);
alter table auth.flow_challenges enable row level security;
alter table auth.flow_challenges force row level security;
create policy server on auth.flow_challenges to service_role
  using (true)
  with check (true);
grant select, insert, update, delete on auth.flow_challenges to service_role;

-- A sign-in at another provider: from the way out, through the way back that issues a code, to the exchange that deletes it.
create table auth.oauth_flows (
  id uuid not null default gen_random_uuid(),
  provider text not null,
  state_hash bytea, -- Null once the browser has come back.
  auth_code_hash bytea,
  auth_code_issued_at timestamptz,
  redirect_to text not null,
  code_challenge text, -- Null in an implicit flow.
  code_challenge_method text,
  session_id uuid, -- The session that an identity is to be linked in. The flow ends with it.
  identity jsonb, -- Who it is, as the provider said.
  created_at timestamptz not null default now(),
  constraint oauth_flows_pkey primary key (id),
  constraint oauth_flows_auth_code_hash_key unique (auth_code_hash),
  constraint oauth_flows_state_hash_key unique (state_hash),
  constraint oauth_flows_session_id_fkey foreign key (session_id) references auth.sessions(id) on delete cascade,
  constraint oauth_flows_check check ((code_challenge is null) = (code_challenge_method is null)),
  constraint oauth_flows_check1 check (session_id is null or code_challenge is not null),
  constraint oauth_flows_code_challenge_method_check check (code_challenge_method = 's256')
);
create index oauth_flows_created_at_idx on auth.oauth_flows (created_at);
create index oauth_flows_session_id_idx on auth.oauth_flows (session_id);
alter table auth.oauth_flows enable row level security;
alter table auth.oauth_flows force row level security;
create policy server on auth.oauth_flows to service_role
  using (true)
  with check (true);
grant select, insert, update, delete on auth.oauth_flows to service_role;

-- Networks from which someone has signed in. Strangers do not use up what is asked for from there.
create table auth.known_networks (
  user_id uuid not null,
  network text not null, -- A keyed hash.
  seen_at timestamptz not null default now(),
  constraint known_networks_pkey primary key (user_id, network),
  constraint known_networks_user_id_fkey foreign key (user_id) references auth.users(id) on delete cascade
);
create index known_networks_seen_at_idx on auth.known_networks (seen_at);
alter table auth.known_networks enable row level security;
alter table auth.known_networks force row level security;
create policy server on auth.known_networks to service_role
  using (true)
  with check (true);
grant select, insert, update, delete on auth.known_networks to service_role;

create table auth.mfa_factors (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  friendly_name text not null default '',
  factor_type text not null,
  status text not null default 'unverified',
  sealed_secret text,
  phone text,
  last_step bigint, -- The time step of the last code that was taken. No code is taken twice.
  last_challenged_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint mfa_factors_pkey primary key (id),
  constraint mfa_factors_user_id_fkey foreign key (user_id) references auth.users(id) on delete cascade,
  constraint mfa_factors_check check ((factor_type = 'totp') = (sealed_secret is not null)),
  constraint mfa_factors_check1 check ((factor_type = 'phone') = (phone is not null)),
  constraint mfa_factors_factor_type_check check (factor_type in ('totp', 'phone')),
  constraint mfa_factors_status_check check (status in ('unverified', 'verified'))
);
create index mfa_factors_user_id_idx on auth.mfa_factors (user_id);
alter table auth.mfa_factors enable row level security;
alter table auth.mfa_factors force row level security;
create policy server on auth.mfa_factors to service_role
  using (true)
  with check (true);
grant select, insert, update, delete on auth.mfa_factors to service_role;
create trigger drop_recovery_codes after delete on auth.mfa_factors for each row when (old.status = 'verified') execute function auth.drop_recovery_codes();

-- What a session has been asked to prove.
create table auth.mfa_challenges (
  id uuid not null default gen_random_uuid(),
  factor_id uuid not null,
  session_id uuid not null,
  code_hash bytea, -- Of the code that went out in a text message.
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  constraint mfa_challenges_pkey primary key (id),
  constraint mfa_challenges_factor_id_fkey foreign key (factor_id) references auth.mfa_factors(id) on delete cascade,
  constraint mfa_challenges_session_id_fkey foreign key (session_id) references auth.sessions(id) on delete cascade
);
create index mfa_challenges_expires_at_idx on auth.mfa_challenges (expires_at);
create index mfa_challenges_factor_id_idx on auth.mfa_challenges (factor_id);
create index mfa_challenges_session_id_idx on auth.mfa_challenges (session_id);
alter table auth.mfa_challenges enable row level security;
alter table auth.mfa_challenges force row level security;
create policy server on auth.mfa_challenges to service_role
  using (true)
  with check (true);
grant select, insert, update, delete on auth.mfa_challenges to service_role;

-- Codes that stand in for a lost second step. Each works once.
create table auth.recovery_codes (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  set_id uuid not null, -- All of a person's codes share it.
  code_hash bytea not null,
  used_at timestamptz,
  created_at timestamptz not null default now(),
  constraint recovery_codes_pkey primary key (id),
  constraint recovery_codes_user_id_code_hash_key unique (user_id, code_hash),
  constraint recovery_codes_user_id_fkey foreign key (user_id) references auth.users(id) on delete cascade
);
alter table auth.recovery_codes enable row level security;
alter table auth.recovery_codes force row level security;
create policy server on auth.recovery_codes to service_role
  using (true)
  with check (true);
grant select, insert, update, delete on auth.recovery_codes to service_role;

create table auth.signing_keys (
  kid text not null,
  algorithm text not null default 'ES256',
  public_jwk jsonb not null,
  sealed_private_jwk text not null,
  status text not null,
  created_at timestamptz not null default now(),
  retired_at timestamptz, -- When another key took its place. Its tokens are accepted until they have expired.
  constraint signing_keys_pkey primary key (kid),
  constraint signing_keys_status_check check (status in ('standby', 'in_use', 'previously_used', 'revoked'))
);
create unique index signing_keys_one_in_use on auth.signing_keys (status) where (status = 'in_use');
create unique index signing_keys_one_standby on auth.signing_keys (status) where (status = 'standby');
alter table auth.signing_keys enable row level security;
alter table auth.signing_keys force row level security;
create policy server on auth.signing_keys to service_role
  using (true)
  with check (true);
grant select, insert, update, delete on auth.signing_keys to service_role;

-- May be called by: everyone.
create function auth.jwt()
 returns jsonb
 language sql
 stable PARALLEL SAFE
as $function$ select nullif(current_setting('request.jwt.claims', true), '')::jsonb $function$;

-- May be called by: everyone.
create function auth.uid()
 returns uuid
 language sql
 stable PARALLEL SAFE
as $function$ select nullif(auth.jwt() ->> 'sub', '')::uuid $function$;

-- May be called by: everyone.
create function auth.role()
 returns text
 language sql
 stable PARALLEL SAFE
as $function$ select auth.jwt() ->> 'role' $function$;

-- When a session ends by itself: at its own end, or by the rules of administrators, whichever comes first.
-- May be called by: service_role.
create function auth.session_ends_at(created_at timestamptz, refreshed_at timestamptz, not_after timestamptz)
 returns timestamptz
 language plpgsql
 stable
 set search_path to ''
as $function$
declare
  rules record; -- the table is of a later migration
begin
  select * into strict rules from app.sign_in_rules;
  return least(
    not_after,
    created_at + make_interval(hours => rules.session_max_hours),
    coalesce(refreshed_at, created_at) + make_interval(hours => rules.session_idle_hours)
  );
end
$function$;

-- The first of the two looks of a refresh. It counts the try and finds whom the token was given to, with what the gate wants to
-- know of them. Nulls for a token that never was, or whose session has ended.
-- May be called by: service_role.
create function auth.begin_refresh(bucket text, window_ms bigint, token_hash bytea, out hits integer, out resets_in_ms bigint, out token_id uuid, out user_id uuid, out email text, out role text, out banned_until timestamptz, out mirrored boolean, out standing json)
 returns record
 language plpgsql
 set search_path to ''
as $function$
begin
  select count.hits, count.resets_in_ms into hits, resets_in_ms from app.count_hit(bucket, window_ms) as count;
  select token.id, owner.id, profile.email, profile.role, owner.banned_until,
    owner.raw_app_meta_data @> jsonb_build_object('role', profile.role)
      and owner.raw_user_meta_data @> jsonb_build_object('role', profile.role),
    to_json(app.standing_of(profile.email))
  into token_id, user_id, email, role, banned_until, mirrored, standing
  from auth.refresh_tokens as token
  join auth.sessions as session on session.id = token.session_id
  join app.profiles as profile on profile.user_id = session.user_id
  join auth.users as owner on owner.id = session.user_id
  where token.token_hash = begin_refresh.token_hash;
end
$function$;

-- Spends a token that no one has spent, of a session that goes on, for its child. Returns the session, the user and what is
-- theirs; no row where the token was spent or the session has ended.
-- May be called by: service_role.
create function auth.spend_refresh_token(token_id uuid, child_hash bytea, sealed_child text)
 returns table(session json, "user" json, identities json, factors json)
 language plpgsql
 set search_path to ''
as $function$
declare
  own auth.sessions;
begin
  -- Locks the session first, as ending it does. The token is looked at again after any earlier caller.
  update auth.sessions as s set refreshed_at = now()
  where s.id = (select t.session_id from auth.refresh_tokens as t where t.id = token_id and t.used_at is null)
    and auth.session_ends_at(s.created_at, s.refreshed_at, s.not_after) > now()
  returning s.* into own;
  if not found then return; end if;
  update auth.refresh_tokens as t set used_at = clock_timestamp(), sealed_child = spend_refresh_token.sealed_child
  where t.id = token_id and t.used_at is null;
  if not found then return; end if;
  insert into auth.refresh_tokens (session_id, token_hash, parent_id) values (own.id, child_hash, token_id);
  return query
  select row_to_json(own), row_to_json(u),
    (select coalesce(json_agg(i order by i.created_at), '[]') from auth.identities as i where i.user_id = u.id),
    (select coalesce(json_agg(f order by f.created_at), '[]') from auth.mfa_factors as f where f.user_id = u.id)
  from auth.users as u where u.id = own.user_id;
end
$function$;

-- Responses that stay open for long end with the session that asked for them.
-- May be called by: its owner, and triggers.
create function auth.tell_session_end()
 returns trigger
 language plpgsql
 set search_path to ''
as $function$
begin
  perform pg_notify('session_ended', old.id::text);
  return null;
end
$function$;

-- Recovery codes go with the last verified factor, and so does what they raised sessions to: nothing is left that they stood in
-- for.
-- May be called by: its owner, and triggers.
create function auth.drop_recovery_codes()
 returns trigger
 language plpgsql
 set search_path to ''
as $function$
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
$function$;
