-- A sign-in at somebody else's: from the way out, through the way back that issues a code, to the exchange that deletes it.
create table auth.oauth_flows (
  id uuid primary key default gen_random_uuid(),
  provider text not null,
  -- Null once the browser has come back.
  state_hash bytea unique,
  auth_code_hash bytea unique,
  auth_code_issued_at timestamptz,
  redirect_to text not null,
  -- Null in an implicit flow.
  code_challenge text,
  code_challenge_method text check (code_challenge_method in ('s256', 'plain')),
  -- The session that an identity is to be linked in. When it ends, so does this.
  session_id uuid references auth.sessions on delete cascade,
  -- Who it is, by the provider's word.
  identity jsonb,
  created_at timestamptz not null default now(),
  check ((code_challenge is null) = (code_challenge_method is null)),
  -- Without it, whoever is sent to the provider by somebody else would link their identity to that account.
  check (session_id is null or code_challenge is not null)
);
create index oauth_flows_session_id_idx on auth.oauth_flows (session_id);
create index oauth_flows_created_at_idx on auth.oauth_flows (created_at);

alter table auth.oauth_flows enable row level security;
alter table auth.oauth_flows force row level security;
create policy server on auth.oauth_flows to service_role using (true) with check (true);
grant select, insert, update, delete on auth.oauth_flows to service_role;
