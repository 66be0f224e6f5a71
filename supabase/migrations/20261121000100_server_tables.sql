-- Schema app: the server's own tables. Never exposed, no grants to anon or authenticated.

create table app.invitations (
  id uuid primary key default gen_random_uuid(),
  email text not null,
  role text not null default 'user' check (role in ('user', 'admin')),
  invited_by uuid references auth.users on delete set null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  withdrawn_at timestamptz
);
create unique index invitations_open_email_key on app.invitations (lower(email))
  where accepted_at is null and withdrawn_at is null;

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
  list_id uuid references public.lists on delete set null,
  list_name text not null,
  kind text not null check (kind in ('search', 'enrichment', 'compliance')),
  state text not null default 'queued' check (state in ('queued', 'running', 'completed', 'failed', 'cancelled')),
  input jsonb not null,
  totals jsonb not null default '{}',
  estimate_micros bigint not null default 0 check (estimate_micros >= 0),
  error_code text,
  error_message text,
  sandbox boolean not null,
  lease_owner uuid,
  lease_expires_at timestamptz,
  cancel_requested_at timestamptz,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  progressed_at timestamptz,
  finished_at timestamptz
);
create unique index runs_one_open_per_list_and_kind on app.runs (list_id, kind) where state in ('queued', 'running');
create unique index runs_one_running_per_list on app.runs (list_id) where state = 'running';
create index runs_list_id_created_at_idx on app.runs (list_id, created_at desc);
create index runs_user_id_created_at_idx on app.runs (user_id, created_at desc);
create index runs_open_idx on app.runs (state, lease_expires_at) where state in ('queued', 'running');

create table app.paid_calls (
  id uuid primary key default gen_random_uuid(),
  idempotency_key text not null unique,
  run_id uuid references app.runs on delete cascade,
  user_id uuid not null references auth.users on delete cascade,
  provider text not null check (provider in ('google_places', 'hunter_io', 'searchbug')),
  operation text not null check (operation in ('locate', 'search_page', 'domain_search', 'phone_scrub')),
  subject text not null,
  batch_id uuid,
  state text not null default 'planned' check (state in ('planned', 'sent', 'answered', 'failed', 'uncertain')),
  estimate_micros bigint not null check (estimate_micros >= 0),
  -- What is booked: 0 until sent, the estimate while sent or uncertain, the provider's price once answered.
  cost_micros bigint not null default 0 check (cost_micros >= 0),
  attempts integer not null default 0,
  error_kind text,
  error_message text,
  sandbox boolean not null,
  planned_at timestamptz not null default now(),
  sent_at timestamptz,
  settled_at timestamptz
);
create unique index paid_calls_one_in_flight on app.paid_calls (user_id, provider, operation, subject, sandbox)
  where state in ('planned', 'sent');
create index paid_calls_uncertain_idx on app.paid_calls (user_id, provider, operation, subject)
  where state = 'uncertain';
create index paid_calls_run_id_idx on app.paid_calls (run_id);
create index paid_calls_user_id_planned_at_idx on app.paid_calls (user_id, planned_at desc);

create table app.answers (
  user_id uuid not null references auth.users on delete cascade,
  provider text not null check (provider in ('google_places', 'hunter_io', 'searchbug')),
  operation text not null check (operation in ('locate', 'search_page', 'domain_search', 'phone_scrub')),
  subject text not null,
  sandbox boolean not null,
  answer jsonb not null,
  paid_call_id uuid not null references app.paid_calls on delete cascade,
  answered_at timestamptz not null default now(),
  expires_at timestamptz,
  primary key (user_id, provider, operation, subject, sandbox)
);
create index answers_expires_at_idx on app.answers (expires_at) where expires_at is not null;
create index answers_paid_call_id_idx on app.answers (paid_call_id);

alter table public.leads
  add foreign key (place_call_id) references app.paid_calls on delete set null,
  add foreign key (email_call_id) references app.paid_calls on delete set null,
  add foreign key (owner_call_id) references app.paid_calls on delete set null,
  add foreign key (compliance_call_id) references app.paid_calls on delete set null;
create index leads_place_call_id_idx on public.leads (place_call_id) where place_call_id is not null;
create index leads_email_call_id_idx on public.leads (email_call_id) where email_call_id is not null;
create index leads_owner_call_id_idx on public.leads (owner_call_id) where owner_call_id is not null;
create index leads_compliance_call_id_idx on public.leads (compliance_call_id) where compliance_call_id is not null;

create table app.crm_connection (
  singleton boolean primary key default true check (singleton),
  client_id text,
  sealed_client_secret text,
  credentials_updated_at timestamptz,
  sealed_access_token text,
  sealed_refresh_token text,
  access_token_expires_at timestamptz,
  connected_at timestamptz,
  refreshed_at timestamptz,
  sandbox boolean not null default false
);

create table app.required_tags (
  tag_id text primary key,
  tag_name text not null,
  added_by uuid references auth.users on delete set null,
  added_at timestamptz not null default now()
);

create table app.training_videos (
  page_key text primary key,
  title text not null,
  embed_code text not null,
  is_active boolean not null default true,
  updated_by uuid references auth.users on delete set null,
  updated_at timestamptz not null default now()
);

create table app.audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor_id uuid,
  actor_email text,
  action text not null,
  target text,
  details jsonb not null default '{}',
  ip inet,
  request_id text
);
create index audit_log_at_idx on app.audit_log (at desc);
create index audit_log_actor_id_idx on app.audit_log (actor_id, at desc);

create function app.refuse_change() returns trigger language plpgsql set search_path = '' as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end
$$;
create trigger append_only before update or delete on app.audit_log
  for each row execute function app.refuse_change();
create trigger append_only_whole before truncate on app.audit_log
  for each statement execute function app.refuse_change();

create table app.rate_limits (
  bucket text not null,
  window_start timestamptz not null,
  hits integer not null default 1,
  primary key (bucket, window_start)
);

create table app.call_spacing (
  bucket text primary key,
  -- Departure times granted so far, oldest first, as many as the widest limit looks back on.
  recent timestamptz[] not null default '{}'
);

-- Counts one hit in the current fixed window of `window_ms`; answers the hits in it and the ms until it ends.
create function app.count_hit(bucket text, window_ms bigint, out hits integer, out resets_in_ms bigint)
language plpgsql set search_path = '' as $$
#variable_conflict use_column
declare
  now_ms bigint := floor(extract(epoch from clock_timestamp()) * 1000);
  start_ms bigint := now_ms - now_ms % window_ms;
begin
  insert into app.rate_limits as r (bucket, window_start)
  values (count_hit.bucket, to_timestamp(start_ms / 1000.0))
  on conflict (bucket, window_start) do update set hits = r.hits + 1
  returning r.hits into count_hit.hits;
  resets_in_ms := start_ms + window_ms - now_ms;
end
$$;

-- Grants the next departure under sliding-window limits: at most limit_calls[i] calls in any limit_window_ms[i].
-- Answers the ms to wait before sending. Exact across processes: the row lock orders all callers.
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

-- A list that is deleted or archived must not go on spending.
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
create trigger cancel_runs_of_list before update or delete on public.lists
  for each row execute function app.cancel_runs_of_list();

do $$
declare
  one record;
begin
  for one in select tablename from pg_tables where schemaname = 'app' loop
    execute format('alter table app.%I enable row level security', one.tablename);
    execute format('alter table app.%I force row level security', one.tablename);
    execute format('create policy server on app.%I to service_role using (true) with check (true)', one.tablename);
    execute format('grant select, insert, update, delete on app.%I to service_role', one.tablename);
  end loop;
end
$$;
revoke all on all functions in schema app from public;
grant execute on function app.is_active() to authenticated;
grant execute on all functions in schema app to service_role;
grant usage on all sequences in schema app to service_role;
