-- What proves who is there when a second step is lost: each code works once. All of a person's codes have one `set_id`.
create table auth.recovery_codes (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  set_id uuid not null,
  code_hash bytea not null,
  used_at timestamptz,
  created_at timestamptz not null default now(),
  unique (user_id, code_hash)
);
alter table auth.recovery_codes enable row level security;
alter table auth.recovery_codes force row level security;
create policy server on auth.recovery_codes to service_role using (true) with check (true);
grant select, insert, update, delete on auth.recovery_codes to service_role;

-- Codes stand in for a second step: they go with the last one, by whichever way it goes.
create function auth.drop_recovery_codes() returns trigger language plpgsql set search_path = '' as $$
begin
  delete from auth.recovery_codes where user_id = old.user_id
    and not exists (select from auth.mfa_factors where user_id = old.user_id and status = 'verified');
  return null;
end
$$;
revoke all on function auth.drop_recovery_codes from public;
create trigger drop_recovery_codes after delete on auth.mfa_factors
  for each row when (old.status = 'verified') execute function auth.drop_recovery_codes();
