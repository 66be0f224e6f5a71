-- Requests that are out with a key, so that runs and processes keep to a provider's limit together. A place whose process has died
-- is free again when its time is over.
create table app.calls_in_flight (
  bucket text not null,
  holder uuid not null,
  expires_at timestamptz not null,
  primary key (bucket, holder)
);

-- Takes one of `at_most` places. The row lock orders all callers.
create function app.take_place(bucket text, holder uuid, at_most integer, lasts_ms integer) returns boolean
language plpgsql set search_path = '' as $$
begin
  insert into app.call_spacing (bucket) values (take_place.bucket) on conflict do nothing;
  perform from app.call_spacing as s where s.bucket = take_place.bucket for update;
  delete from app.calls_in_flight as f where f.bucket = take_place.bucket and f.expires_at < clock_timestamp();
  if (select count(*) from app.calls_in_flight as f where f.bucket = take_place.bucket) >= at_most then
    return false;
  end if;
  insert into app.calls_in_flight (bucket, holder, expires_at)
  values (take_place.bucket, take_place.holder, clock_timestamp() + lasts_ms * interval '1 millisecond');
  return true;
end
$$;

-- The highest price that a key was charged for one unit on a day (UTC), where the provider says it with its answers.
create table app.call_rates (
  bucket text not null,
  day date not null,
  rate_micros bigint not null check (rate_micros >= 0),
  primary key (bucket, day)
);

do $$
declare
  one text;
begin
  foreach one in array array['calls_in_flight', 'call_rates'] loop
    execute format('alter table app.%I enable row level security', one);
    execute format('alter table app.%I force row level security', one);
    execute format('create policy server on app.%I to service_role, fairlead_worker using (true) with check (true)', one);
    execute format('grant select, insert, update, delete on app.%I to service_role, fairlead_worker', one);
  end loop;
end
$$;

-- What a worker needs to mail of budgets.
alter policy server on app.budgets to service_role, fairlead_worker;
alter policy server on app.budget_notices to service_role, fairlead_worker;
grant select on app.budgets to fairlead_worker;
grant select, insert, update on app.budget_notices to fairlead_worker;

revoke all on all functions in schema app from public;
grant execute on all functions in schema app to service_role;
grant execute on function app.take_place to fairlead_worker;
