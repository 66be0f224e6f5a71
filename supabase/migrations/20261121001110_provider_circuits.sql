-- Whether a provider answers, for each of its keys, shared by all processes. A key without a row works.
create table app.provider_circuits (
  bucket text primary key,
  -- Calls in a row that brought no answer.
  failures integer not null,
  failed_at timestamptz not null,
  -- Set once it is left alone: nothing is sent before, and then one call at a time.
  next_try_at timestamptz
);
alter table app.provider_circuits enable row level security;
alter table app.provider_circuits force row level security;
create policy server on app.provider_circuits to service_role, fairlead_worker using (true) with check (true);
grant select, insert, update, delete on app.provider_circuits to service_role, fairlead_worker;

-- Null when a call may be sent; else when the next one may. Whoever is let through alone has longer than any call takes.
create function app.ask_circuit(bucket text) returns timestamptz language plpgsql set search_path = '' as $$
#variable_conflict use_column
declare
  next_try timestamptz;
begin
  select c.next_try_at into next_try from app.provider_circuits as c where c.bucket = ask_circuit.bucket;
  if next_try is null or next_try > clock_timestamp() then
    return next_try;
  end if;
  update app.provider_circuits as c set next_try_at = clock_timestamp() + interval '45 seconds'
  where c.bucket = ask_circuit.bucket and c.next_try_at = next_try;
  if found then
    return null;
  end if;
  select c.next_try_at into next_try from app.provider_circuits as c where c.bucket = ask_circuit.bucket;
  return next_try;
end
$$;

-- Counts a call without an answer. After five in a row, none older than a minute, the key rests for ten seconds.
create function app.break_circuit(bucket text) returns void language sql set search_path = '' as $$
  insert into app.provider_circuits as c (bucket, failures, failed_at)
  values (break_circuit.bucket, 1, clock_timestamp())
  on conflict (bucket) do update set
    failures = case when c.failed_at < clock_timestamp() - interval '60 seconds' then 1 else c.failures + 1 end,
    failed_at = clock_timestamp(),
    next_try_at = case
      when c.next_try_at is not null or (c.failures >= 4 and c.failed_at >= clock_timestamp() - interval '60 seconds')
      then clock_timestamp() + interval '10 seconds'
    end
$$;

revoke all on all functions in schema app from public;
grant execute on all functions in schema app to service_role;
grant execute on function app.ask_circuit, app.break_circuit to fairlead_worker;
