-- Runs, the keys they use, and when a call may leave.
-- Written by `npm run db:types` from the migrations. Do not edit.

create table app.provider_keys (
  user_id uuid not null,
  provider text not null,
  sealed_key text not null,
  last_four text not null,
  fingerprint text not null,
  sandbox boolean not null,
  last_used_at timestamptz,
  last_tested_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint provider_keys_pkey primary key (user_id, provider),
  constraint provider_keys_user_id_fkey foreign key (user_id) references auth.users(id) on delete cascade,
  constraint provider_keys_provider_check check (provider in ('google_places', 'hunter_io', 'searchbug'))
);
alter table app.provider_keys enable row level security;
alter table app.provider_keys force row level security;
create policy server on app.provider_keys to fairlead_worker, service_role
  using (true)
  with check (true);
grant select, update (last_used_at) on app.provider_keys to fairlead_worker;
grant select, insert, update, delete on app.provider_keys to service_role;

-- A place can be looked up before there is a list to search for: a run of no list. Its list_name is the place as it was typed.
create table app.runs (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  list_id uuid,
  list_key uuid not null default gen_random_uuid(), -- The list's id, kept after the list is gone, so that its runs still stand together.
  list_name text not null,
  kind text not null,
  state text not null default 'queued',
  input jsonb not null,
  totals jsonb not null default '{}',
  asked integer generated always as (
    case kind
        when 'search' then (totals ->> 'found')::integer
        when 'compliance' then (totals ->> 'numbersDone')::integer
        else round((((totals ->> 'leads')::numeric) - coalesce((totals ->> 'withoutWebsite')::numeric, 0::numeric) - coalesce((totals ->> 'onSharedHost')::numeric, 0::numeric)) * ((totals ->> 'domainsDone')::numeric) / nullif((totals ->> 'domains')::numeric, 0::numeric))::integer
    end) stored, -- What was asked about: places, leads with a website, numbers. Of an enrichment that ended early, the leads of the websites done.
  found integer generated always as (
    case kind
        when 'search' then (totals ->> 'kept')::integer
        when 'compliance' then (totals ->> 'safe')::integer
        else (totals ->> 'emailsAdded')::integer
    end) stored, -- What it brought: businesses kept, e-mails, safe numbers.
  estimate_micros bigint not null default 0,
  bound_micros bigint not null default 0, -- The most that the run may book. Nothing is sent beyond it.
  error_code text,
  error_message text,
  sandbox boolean, -- Whether it works with invented data. Null for work that was refused before its list held data of either kind.
  lease_owner uuid,
  lease_expires_at timestamptz,
  waiting_reason text, -- Set by the process that works on the run while nothing of it moves.
  waiting_until timestamptz,
  stalls integer not null default 0, -- How often it stood still without a reason and was given to another process.
  cancel_requested_at timestamptz,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  progressed_at timestamptz,
  finished_at timestamptz,
  resume_at timestamptz, -- When a search that met a day's limit is begun again, where its owner chose so.
  resume_micros bigint, -- What is left of its bound by then; null while that is not decided.
  constraint runs_pkey primary key (id),
  constraint runs_id_sandbox_key unique (id, sandbox),
  constraint runs_list_id_fkey foreign key (list_id, sandbox) references public.lists(id, sandbox) on delete set null (list_id),
  constraint runs_list_id_only_fkey foreign key (list_id) references public.lists(id) on delete set null,
  constraint runs_user_id_fkey foreign key (user_id) references auth.users(id) on delete cascade,
  constraint runs_bound_micros_check check (bound_micros >= 0),
  constraint runs_estimate_micros_check check (estimate_micros >= 0),
  constraint runs_kind_check check (kind in ('search', 'enrichment', 'compliance', 'place', 'survey')),
  constraint runs_of_no_list check ((kind <> ALL (array['place', 'survey'])) or list_id is null),
  constraint runs_sandbox_check check (sandbox is not null or state = 'failed' and started_at is null),
  constraint runs_state_check check (state in ('queued', 'running', 'completed', 'failed', 'cancelled')),
  constraint runs_waiting_reason_check check (waiting_reason in ('limit', 'other_run', 'provider_down'))
);
create index runs_list_id_created_at_idx on app.runs (list_id, created_at desc);
create unique index runs_one_open_per_list_and_kind on app.runs (list_id, kind) where ((state in ('queued', 'running')) and (cancel_requested_at is null));
create unique index runs_one_running_per_list on app.runs (list_id) where (state = 'running');
create index runs_open_idx on app.runs (state, lease_expires_at) where (state in ('queued', 'running'));
create index runs_open_user_id_idx on app.runs (user_id) where (state in ('queued', 'running'));
create index runs_resume_at_idx on app.runs (resume_at) where (resume_at is not null);
create index runs_user_id_created_at_idx on app.runs (user_id, created_at desc);
alter table app.runs enable row level security;
alter table app.runs force row level security;
create policy server on app.runs to fairlead_worker, service_role
  using (true)
  with check (true);
grant select, update on app.runs to fairlead_worker;
grant select, insert, update, delete on app.runs to service_role;
create trigger decide_kind_of_list before insert on app.runs for each row when (new.list_id is not null) execute function app.decide_kind_of_list();
create trigger forget_erased_names before insert or update of list_name on app.runs for each row execute function app.forget_erased_names('list_name');
create trigger keep_kind before update of sandbox on app.runs for each row when (new.sandbox <> old.sandbox) execute function app.keep_kind();
create trigger name_list_of_run before insert on app.runs for each row when (new.list_id is not null) execute function app.name_list_of_run();
create trigger tell_new_run after insert on app.runs for each row when (new.list_id is not null) execute function app.tell_run_change();
create trigger tell_run_change after update of state, totals, estimate_micros, bound_micros, waiting_reason, waiting_until, error_code, error_message, cancel_requested_at on app.runs for each row when (new.list_id is not null and (old.state is distinct from new.state or old.totals is distinct from new.totals or old.estimate_micros is distinct from new.estimate_micros or old.bound_micros is distinct from new.bound_micros or old.waiting_reason is distinct from new.waiting_reason or old.waiting_until is distinct from new.waiting_until or old.error_code is distinct from new.error_code or old.error_message is distinct from new.error_message or old.cancel_requested_at is distinct from new.cancel_requested_at)) execute function app.tell_run_change();

create table app.call_spacing (
  bucket text not null,
  recent timestamptz[] not null default '{}', -- Departure times granted so far, oldest first, as many as the widest limit looks back on.
  constraint call_spacing_pkey primary key (bucket)
);
alter table app.call_spacing enable row level security;
alter table app.call_spacing force row level security;
create policy server on app.call_spacing to fairlead_worker, service_role
  using (true)
  with check (true);
grant select, insert, update on app.call_spacing to fairlead_worker;
grant select, insert, update, delete on app.call_spacing to service_role;

-- The highest price that a key was charged for one unit on a day (UTC), where the provider says it with its responses.
create table app.call_rates (
  bucket text not null,
  day date not null,
  rate_micros bigint not null,
  constraint call_rates_pkey primary key (bucket, day),
  constraint call_rates_rate_micros_check check (rate_micros >= 0)
);
alter table app.call_rates enable row level security;
alter table app.call_rates force row level security;
create policy server on app.call_rates to fairlead_worker, service_role
  using (true)
  with check (true);
grant select, insert, update, delete on app.call_rates to fairlead_worker;
grant select, insert, update, delete on app.call_rates to service_role;

-- Requests that are out with a key, so that runs and processes keep to a provider's limit together.
create table app.calls_in_flight (
  bucket text not null,
  holder uuid not null,
  expires_at timestamptz not null, -- When the place is free again, should its process have died.
  constraint calls_in_flight_pkey primary key (bucket, holder)
);
alter table app.calls_in_flight enable row level security;
alter table app.calls_in_flight force row level security;
create policy server on app.calls_in_flight to fairlead_worker, service_role
  using (true)
  with check (true);
grant select, insert, update, delete on app.calls_in_flight to fairlead_worker;
grant select, insert, update, delete on app.calls_in_flight to service_role;

-- Whether a provider responds, for each of its keys, shared by all processes. A key without a row works.
create table app.provider_circuits (
  bucket text not null,
  failures integer not null, -- Calls in a row that brought no answer.
  failed_at timestamptz not null,
  next_try_at timestamptz, -- Set once the key rests: nothing is sent before, and then one call at a time.
  constraint provider_circuits_pkey primary key (bucket)
);
alter table app.provider_circuits enable row level security;
alter table app.provider_circuits force row level security;
create policy server on app.provider_circuits to fairlead_worker, service_role
  using (true)
  with check (true);
grant select, insert, update, delete on app.provider_circuits to fairlead_worker;
grant select, insert, update, delete on app.provider_circuits to service_role;

-- The first run of a list decides whether the list holds invented or real data.
-- May be called by: fairlead_worker, service_role.
create function app.decide_kind_of_list()
 returns trigger
 language plpgsql
 set search_path to ''
as $function$
begin
  update public.lists set sandbox = new.sandbox where id = new.list_id and sandbox is null;
  return new;
end
$function$;

-- A list that is deleted or archived must not go on spending.
-- May be called by: service_role.
create function app.cancel_runs_of_list()
 returns trigger
 language plpgsql
 security definer
 set search_path to ''
as $function$
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
$function$;

-- Whether the key that is stored now is a sandbox key and the calls are real, or the other way around.
-- May be called by: fairlead_worker, service_role.
create function app.key_is_of_other_kind(call_ids uuid[])
 returns boolean
 language plpgsql
 stable
 set search_path to ''
as $function$
begin
  return exists (
    select from app.paid_calls as call join app.provider_keys as key on key.user_id = call.user_id and key.provider = call.provider
    where call.id = any (call_ids) and key.sandbox <> call.sandbox
  );
end
$function$;

-- Grants the next departure under sliding-window limits: at most limit_calls[i] calls in any limit_window_ms[i]. Returns the ms
-- to wait before sending. Exact across processes: the row lock orders all callers.
-- May be called by: fairlead_worker, service_role.
create function app.take_slot(bucket text, limit_calls integer[], limit_window_ms integer[])
 returns double precision
 language plpgsql
 set search_path to ''
as $function$
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
$function$;

-- Like app.take_slot, for callers who would rather not wait: takes nothing and returns null when the wait is above most_wait_ms.
-- May be called by: fairlead_worker, service_role.
create function app.try_slot(bucket text, limit_calls integer[], limit_window_ms integer[], most_wait_ms double precision)
 returns double precision
 language plpgsql
 set search_path to ''
as $function$
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
$function$;

-- Takes one of `at_most` places. The row lock orders all callers.
-- May be called by: fairlead_worker, service_role.
create function app.take_place(bucket text, holder uuid, at_most integer, lasts_ms integer)
 returns boolean
 language plpgsql
 set search_path to ''
as $function$
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
$function$;

-- Takes the next departure of a key, and for `holder` one of its `at_most` places in flight, if both can be had at once and no
-- one else is at it. Returns false, and takes nothing, where the call has to wait for them: app.take_place and app.take_slot do.
-- May be called by: fairlead_worker, service_role.
create function app.take_free_slot(bucket text, limit_calls integer[], limit_window_ms integer[], at_most integer, holder uuid, lasts_ms integer)
 returns boolean
 language plpgsql
 set search_path to ''
 set plan_cache_mode to 'force_generic_plan'
 set enable_seqscan to 'off'
 set jit to 'off'
as $function$
declare
  granted timestamptz[];
  looks_back integer := (select max(calls) from unnest(limit_calls) as calls);
begin
  -- Never waited for: who comes from a settlement holds sums that the one with this lock may wait for.
  select recent into granted from app.call_spacing as s where s.bucket = take_free_slot.bucket for update skip locked;
  if not found then
    return false;
  end if;
  for i in 1 .. cardinality(limit_calls) loop
    if cardinality(granted) >= limit_calls[i]
      and granted[cardinality(granted) - limit_calls[i] + 1] + limit_window_ms[i] * interval '1 millisecond' > clock_timestamp()
    then
      return false;
    end if;
  end loop;
  if at_most is not null then
    delete from app.calls_in_flight as f where f.bucket = take_free_slot.bucket and f.expires_at < clock_timestamp();
    if (select count(*) from app.calls_in_flight as f where f.bucket = take_free_slot.bucket) >= at_most then
      return false;
    end if;
    insert into app.calls_in_flight (bucket, holder, expires_at)
    values (take_free_slot.bucket, take_free_slot.holder, clock_timestamp() + lasts_ms * interval '1 millisecond');
  end if;
  granted := granted || clock_timestamp();
  update app.call_spacing as s
  set recent = granted[greatest(1, cardinality(granted) - looks_back + 1) :]
  where s.bucket = take_free_slot.bucket;
  return true;
end
$function$;

-- Null when a call may be sent; otherwise when the next one may. A call that is let through alone has longer than any call takes.
-- May be called by: fairlead_worker, service_role.
create function app.ask_circuit(bucket text)
 returns timestamptz
 language plpgsql
 set search_path to ''
as $function$
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
$function$;

-- Counts a call without an answer. After five in a row, none older than a minute, the key rests for ten seconds.
-- May be called by: fairlead_worker, service_role.
create function app.break_circuit(bucket text)
 returns void
 language sql
 set search_path to ''
as $function$
  insert into app.provider_circuits as c (bucket, failures, failed_at)
  values (break_circuit.bucket, 1, clock_timestamp())
  on conflict (bucket) do update set
    failures = case when c.failed_at < clock_timestamp() - interval '60 seconds' then 1 else c.failures + 1 end,
    failed_at = clock_timestamp(),
    next_try_at = case
      when c.next_try_at is not null or (c.failures >= 4 and c.failed_at >= clock_timestamp() - interval '60 seconds')
      then clock_timestamp() + interval '10 seconds'
    end
$function$;
