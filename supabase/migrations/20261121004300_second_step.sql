-- Two-step sign-in: whom administrators ask for it. Whoever has a verified factor has asked for it themselves.
create table app.sign_in_rules (
  singleton boolean primary key default true check (singleton),
  second_step text not null default 'optional' check (second_step in ('optional', 'admins', 'everybody')),
  updated_at timestamptz not null default now()
);
insert into app.sign_in_rules default values;
alter table app.sign_in_rules enable row level security;
alter table app.sign_in_rules force row level security;
create policy server on app.sign_in_rules to service_role using (true) with check (true);
grant select, update on app.sign_in_rules to service_role;

-- Whether somebody's sessions are good for nothing before they have proven a factor. The names are those of hosted Supabase.
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
revoke execute on function app.needs_second_step(uuid) from public;
grant execute on function app.needs_second_step(uuid) to service_role;

-- Every policy for browsers asks it: so the tables refuse a session that has not proven its factor, on all footings.
create or replace function app.is_active() returns boolean language sql stable security definer set search_path = '' as $$
  select exists (select from app.profiles where user_id = auth.uid() and status = 'active')
    and (
      nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'aal' is not distinct from 'aal2'
      or not app.needs_second_step(auth.uid())
    )
$$;
