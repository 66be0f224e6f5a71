-- Second factors, in GoTrue's tables: codes of an authenticator app, and codes by text message.

create table auth.mfa_factors (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  friendly_name text not null default '',
  factor_type text not null check (factor_type in ('totp', 'phone')),
  status text not null default 'unverified' check (status in ('unverified', 'verified')),
  sealed_secret text,
  phone text,
  -- The time step of the last code that was taken: no code is taken twice.
  last_step bigint,
  last_challenged_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((factor_type = 'totp') = (sealed_secret is not null)),
  check ((factor_type = 'phone') = (phone is not null))
);
create index mfa_factors_user_id_idx on auth.mfa_factors (user_id);

-- What a session has been asked to prove. `code_hash`: of the code that went out in a text message.
create table auth.mfa_challenges (
  id uuid primary key default gen_random_uuid(),
  factor_id uuid not null references auth.mfa_factors on delete cascade,
  session_id uuid not null references auth.sessions on delete cascade,
  code_hash bytea,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index mfa_challenges_factor_id_idx on auth.mfa_challenges (factor_id);
create index mfa_challenges_session_id_idx on auth.mfa_challenges (session_id);
create index mfa_challenges_expires_at_idx on auth.mfa_challenges (expires_at);

-- Which factor has raised a session to aal2.
alter table auth.sessions add column factor_id uuid references auth.mfa_factors on delete set null;
create index sessions_factor_id_idx on auth.sessions (factor_id) where factor_id is not null;

do $$
declare
  one text;
begin
  foreach one in array array['mfa_factors', 'mfa_challenges'] loop
    execute format('alter table auth.%I enable row level security', one);
    execute format('alter table auth.%I force row level security', one);
    execute format('create policy server on auth.%I to service_role using (true) with check (true)', one);
    execute format('grant select, insert, update, delete on auth.%I to service_role', one);
  end loop;
end
$$;
