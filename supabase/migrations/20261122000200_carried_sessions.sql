-- Sessions of our own backend that wait at hosted Supabase for whoever has their refresh token: it is exchanged once, for a session of
-- Supabase's. Filled by a restore to hosted Supabase, and by nothing else.
create table app.carried_sessions (
  id uuid primary key,
  user_id uuid not null references auth.users on delete cascade,
  token_hash bytea not null unique,
  user_agent text,
  ip inet,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  ends_at timestamptz not null,
  -- Since when somebody is exchanging it.
  taken_at timestamptz
);
create index carried_sessions_user_id_idx on app.carried_sessions (user_id);
create index carried_sessions_ends_at_idx on app.carried_sessions (ends_at);
alter table app.carried_sessions enable row level security;
alter table app.carried_sessions force row level security;
create policy server on app.carried_sessions to service_role, fairlead_worker using (true) with check (true);
grant select, insert, update, delete on app.carried_sessions to service_role;
-- The daily sweep sees when one ends, and nothing else of it.
grant select (ends_at), delete on app.carried_sessions to fairlead_worker;
