-- Runs, the keys they use, and when a call may leave.

create table app.provider_keys (
  user_id uuid not null references auth.users on delete cascade,
  provider text not null check (provider in ('google_places', 'hunter_io', 'searchbug')),
  sealed_key text not null,
  last_four text not null,
  fingerprint text not null,
  sandbox boolean not null,
  last_used_at timestamptz,
  last_tested_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (user_id, provider)
);

create table app.runs (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  list_id uuid,
  list_key uuid not null default gen_random_uuid(),
  list_name text not null,
  kind text not null check (kind in ('search', 'enrichment', 'compliance', 'place')),
  state text not null default 'queued' check (state in ('queued', 'running', 'completed', 'failed', 'cancelled')),
  input jsonb not null,
  totals jsonb not null default '{}',
  asked integer generated always as (
    case kind when 'search' then (totals ->> 'found')::integer when 'compliance' then (totals ->> 'numbersDone')::integer
      else round(((totals ->> 'leads')::numeric - coalesce((totals ->> 'withoutWebsite')::numeric, 0)
        - coalesce((totals ->> 'onSharedHost')::numeric, 0)) * (totals ->> 'domainsDone')::numeric
        / nullif((totals ->> 'domains')::numeric, 0))::integer end
  ) stored,
  found integer generated always as (
    case kind when 'search' then (totals ->> 'kept')::integer when 'compliance' then (totals ->> 'safe')::integer
      else (totals ->> 'emailsAdded')::integer end
  ) stored,
  estimate_micros bigint not null default 0 check (estimate_micros >= 0),
  bound_micros bigint not null default 0 check (bound_micros >= 0),
  error_code text,
  error_message text,
  sandbox boolean not null,
  lease_owner uuid,
  lease_expires_at timestamptz,
  waiting_reason text check (waiting_reason in ('limit', 'other_run', 'provider_down')),
  waiting_until timestamptz,
  stalls integer not null default 0,
  cancel_requested_at timestamptz,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  progressed_at timestamptz,
  finished_at timestamptz,
  unique (id, sandbox),
  constraint runs_list_id_fkey foreign key (list_id, sandbox) references public.lists (id, sandbox) on delete set null (list_id),
  constraint runs_place_has_no_list check (kind <> 'place' or list_id is null)
);
comment on table app.runs is
  'A place can be looked up before there is a list to search for: a run of no list. Its list_name is the place as it was typed.';
create unique index runs_one_open_per_list_and_kind on app.runs (list_id, kind) where state in ('queued', 'running');
create unique index runs_one_running_per_list on app.runs (list_id) where state = 'running';
create index runs_list_id_created_at_idx on app.runs (list_id, created_at desc);
create index runs_user_id_created_at_idx on app.runs (user_id, created_at desc);
create index runs_open_idx on app.runs (state, lease_expires_at) where state in ('queued', 'running');
create index runs_open_user_id_idx on app.runs (user_id) where state in ('queued', 'running');
comment on column app.runs.list_key is 'The list''s id, kept after the list is gone, so that its runs still stand together.';
comment on column app.runs.asked is
  'What was asked about: places, leads with a website, numbers. Of an enrichment that ended early, the leads of the websites done.';
comment on column app.runs.found is 'What it brought: businesses kept, e-mails, safe numbers.';
comment on column app.runs.bound_micros is 'The most that the run may book. Nothing is sent beyond it.';
comment on column app.runs.waiting_reason is 'Set by the process that works on the run while nothing of it moves.';
comment on column app.runs.stalls is 'How often it stood still without a reason and was given to another process.';

create table app.call_spacing (
  bucket text primary key,
  recent timestamptz[] not null default '{}'
);
comment on column app.call_spacing.recent is
  'Departure times granted so far, oldest first, as many as the widest limit looks back on.';

create table app.calls_in_flight (
  bucket text not null,
  holder uuid not null,
  expires_at timestamptz not null,
  primary key (bucket, holder)
);
comment on table app.calls_in_flight is
  'Requests that are out with a key, so that runs and processes keep to a provider''s limit together.';
comment on column app.calls_in_flight.expires_at is 'When the place is free again, should its process have died.';

create table app.call_rates (
  bucket text not null,
  day date not null,
  rate_micros bigint not null check (rate_micros >= 0),
  primary key (bucket, day)
);
comment on table app.call_rates is
  'The highest price that a key was charged for one unit on a day (UTC), where the provider says it with its responses.';

create table app.provider_circuits (
  bucket text primary key,
  failures integer not null,
  failed_at timestamptz not null,
  next_try_at timestamptz
);
comment on table app.provider_circuits is
  'Whether a provider responds, for each of its keys, shared by all processes. A key without a row works.';
comment on column app.provider_circuits.failures is 'Calls in a row that brought no answer.';
comment on column app.provider_circuits.next_try_at is 'Set once the key rests: nothing is sent before, and then one call at a time.';

create function app.decide_kind_of_list() returns trigger language plpgsql set search_path = '' as $$
begin
  update public.lists set sandbox = new.sandbox where id = new.list_id and sandbox is null;
  return new;
end
$$;
comment on function app.decide_kind_of_list is 'The first run of a list decides whether the list holds invented or real data.';
create trigger decide_kind_of_list before insert on app.runs
  for each row when (new.list_id is not null) execute function app.decide_kind_of_list();
create trigger keep_kind before update of sandbox on app.runs
  for each row when (new.sandbox <> old.sandbox) execute function app.keep_kind();

create function app.name_list_of_run() returns trigger language plpgsql set search_path = '' as $$
begin
  new.list_key := new.list_id;
  return new;
end
$$;
create trigger name_list_of_run before insert on app.runs
  for each row when (new.list_id is not null) execute function app.name_list_of_run();

create function app.cancel_runs_of_list() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  gone boolean := tg_op = 'DELETE';
begin
  if gone or (new.lifecycle_status = 'archived' and old.lifecycle_status <> 'archived') then
    update app.runs set cancel_requested_at = coalesce(cancel_requested_at, now())
    where list_id = old.id and state in ('queued', 'running');
    if found then
      perform pg_notify('run_cancelled', old.id::text);
    end if;
  end if;
  if gone then
    return old;
  end if;
  return new;
end
$$;
comment on function app.cancel_runs_of_list is 'A list that is deleted or archived must not go on spending.';
create trigger cancel_runs_of_list before update or delete on public.lists
  for each row execute function app.cancel_runs_of_list();

create function app.take_slot(bucket text, limit_calls integer[], limit_window_ms integer[]) returns double precision
language plpgsql set search_path = '' as $$
declare
  granted timestamptz[];
  slot timestamptz;
  looks_back integer := (select max(calls) from unnest(limit_calls) as calls);
begin
  insert into app.call_spacing (bucket) values (take_slot.bucket) on conflict do nothing;
  select recent into granted from app.call_spacing as s where s.bucket = take_slot.bucket for update;
  slot := clock_timestamp();
  for i in 1 .. cardinality(limit_calls) loop
    if cardinality(granted) >= limit_calls[i] then
      slot := greatest(slot, granted[cardinality(granted) - limit_calls[i] + 1] + limit_window_ms[i] * interval '1 millisecond');
    end if;
  end loop;
  granted := granted || slot;
  update app.call_spacing as s
  set recent = granted[greatest(1, cardinality(granted) - looks_back + 1) :]
  where s.bucket = take_slot.bucket;
  return greatest(0, extract(epoch from slot - clock_timestamp()) * 1000);
end
$$;
comment on function app.take_slot is
  'Grants the next departure under sliding-window limits: at most limit_calls[i] calls in any limit_window_ms[i]. Returns the ms '
  'to wait before sending. Exact across processes: the row lock orders all callers.';

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
comment on function app.try_slot is
  'Like app.take_slot, for callers who would rather not wait: takes nothing and returns null when the wait is above most_wait_ms.';

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
comment on function app.take_place is 'Takes one of `at_most` places. The row lock orders all callers.';

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
comment on function app.ask_circuit is
  'Null when a call may be sent; otherwise when the next one may. A call that is let through alone has longer than any call '
  'takes.';

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
comment on function app.break_circuit is
  'Counts a call without an answer. After five in a row, none older than a minute, the key rests for ten seconds.';

do $$
declare
  one text;
begin
  foreach one in array array['provider_keys', 'runs', 'call_spacing', 'calls_in_flight', 'call_rates', 'provider_circuits'] loop
    execute format('alter table app.%I enable row level security', one);
    execute format('alter table app.%I force row level security', one);
    execute format('create policy server on app.%I to service_role, fairlead_worker using (true) with check (true)', one);
    execute format('grant select, insert, update, delete on app.%I to service_role', one);
  end loop;
end
$$;
grant select, update (last_used_at) on app.provider_keys to fairlead_worker;
grant select, update on app.runs to fairlead_worker;
grant select, insert, update on app.call_spacing to fairlead_worker;
grant select, insert, update, delete on app.calls_in_flight, app.call_rates, app.provider_circuits to fairlead_worker;

revoke all on function app.decide_kind_of_list, app.name_list_of_run, app.cancel_runs_of_list, app.take_slot, app.try_slot, app.take_place,
  app.ask_circuit, app.break_circuit from public;
grant execute on function app.decide_kind_of_list, app.take_slot, app.try_slot, app.take_place, app.ask_circuit, app.break_circuit
  to service_role, fairlead_worker;
grant execute on function app.cancel_runs_of_list to service_role;
