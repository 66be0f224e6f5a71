-- The CRM connection: the states of its OAuth, what became of its refresh token, and look-ups that wait only so long.

alter table app.crm_connection add column refresh_refused_at timestamptz;
comment on column app.crm_connection.refresh_refused_at is
  'When the CRM last refused the refresh token: an administrator must connect again.';

-- An administrator on the way to the CRM and back. Deleted by the first callback that names it.
create table app.crm_oauth_states (
  state_hash bytea primary key,
  -- Of the cookie of the browser that started.
  browser_hash bytea not null,
  user_id uuid not null references auth.users on delete cascade,
  session_id uuid not null,
  client_id text not null,
  expires_at timestamptz not null
);
create index crm_oauth_states_user_id_idx on app.crm_oauth_states (user_id);
alter table app.crm_oauth_states enable row level security;
alter table app.crm_oauth_states force row level security;
create policy server on app.crm_oauth_states to service_role using (true) with check (true);
grant select, insert, update, delete on app.crm_oauth_states to service_role;

-- Like app.take_slot, for those who would rather not wait: takes nothing and answers null when the wait is above most_wait_ms.
create function app.try_slot(bucket text, limit_calls integer[], limit_window_ms integer[], most_wait_ms double precision)
returns double precision language plpgsql set search_path = '' as $$
declare
  before timestamptz[];
  wait_ms double precision;
begin
  insert into app.call_spacing (bucket) values (try_slot.bucket) on conflict do nothing;
  select recent into before from app.call_spacing as s where s.bucket = try_slot.bucket for update;
  wait_ms := app.take_slot(try_slot.bucket, limit_calls, limit_window_ms);
  if wait_ms > most_wait_ms then
    update app.call_spacing as s set recent = before where s.bucket = try_slot.bucket;
    return null;
  end if;
  return wait_ms;
end
$$;
revoke all on function app.try_slot from public;
grant execute on function app.try_slot to service_role;
