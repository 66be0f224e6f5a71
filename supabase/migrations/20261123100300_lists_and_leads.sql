-- Lists and leads: what browsers may reach. Everything that is not granted here is the server's to write.

create table public.lists (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  name text not null constraint lists_name_length check (char_length(btrim(name)) > 0 and char_length(name) <= 250),
  search_params jsonb not null default '{}'
    constraint lists_search_params_size check (jsonb_typeof(search_params) = 'object' and octet_length(search_params::text) <= 4000),
  status text not null default 'processing' check (status in ('processing', 'completed', 'failed')),
  lead_count integer not null default 0 check (lead_count >= 0),
  completeness integer check (completeness between 0 and 100),
  tier1_complete boolean not null default false,
  tier2_complete boolean not null default false,
  tier3_complete boolean not null default false,
  tier4_complete boolean not null default false,
  compliance_checked boolean not null default false,
  compliance_expires_at timestamptz,
  compliance_cost_micros bigint not null default 0 check (compliance_cost_micros >= 0),
  has_emails boolean not null default false,
  has_contacts boolean not null default false,
  resolved_place text,
  sandbox boolean,
  lifecycle_status text not null default 'active' check (lifecycle_status in ('active', 'archived')),
  archived_at timestamptz,
  retention_from timestamptz not null default now(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (id, sandbox)
);
create index lists_user_id_created_at_idx on public.lists (user_id, created_at desc);
create index lists_processing_idx on public.lists (created_at) where status = 'processing';
create index lists_retention_idx on public.lists (lifecycle_status, retention_from);
create index lists_archived_at_idx on public.lists (archived_at) where lifecycle_status = 'archived';
comment on column public.lists.sandbox is 'Whether its data is invented. Null until the first run decides; nothing changes it afterwards.';
comment on column public.lists.compliance_expires_at is
  'When the first verdict of the list runs out. From then on it counts as not checked, without waiting for a sweep.';

create table public.leads (
  id uuid primary key default gen_random_uuid(),
  list_id uuid not null references public.lists on delete cascade,
  position integer not null,
  business_name text not null,
  address text,
  phone text,
  website text,
  email text,
  email_confidence integer check (email_confidence between 0 and 100),
  owner_name text,
  owner_title text,
  email_verified boolean,
  phone_type text,
  compliance_status text not null default 'not_checked'
    check (compliance_status in ('not_checked', 'safe', 'dnc', 'litigator')),
  compliance_reason text,
  compliance_checked_at timestamptz,
  place_id text,
  latitude double precision,
  longitude double precision,
  service_area boolean not null default false,
  place_call_id uuid,
  email_call_id uuid,
  owner_call_id uuid,
  compliance_call_id uuid,
  created_at timestamptz not null default now(),
  unique (list_id, position)
);
create unique index leads_list_id_place_id_key on public.leads (list_id, place_id);
create index leads_coordinates_idx on public.leads (place_call_id) where latitude is not null;

create table app.deletion_warnings (
  list_id uuid primary key references public.lists on delete cascade,
  archived_at timestamptz not null,
  warned_at timestamptz not null default now(),
  deletes_at timestamptz not null
);
comment on table app.deletion_warnings is 'A list is announced once for each time it is archived.';
comment on column app.deletion_warnings.deletes_at is 'The earliest moment that the mail named.';

create table app.daily_sweep (
  singleton boolean primary key default true check (singleton),
  swept_at timestamptz not null
);

create function app.keep_list_clock() returns trigger language plpgsql set search_path = '' as $$
begin
  new.updated_at := now();
  if new.lifecycle_status = old.lifecycle_status then
    new.archived_at := old.archived_at;
  elsif new.lifecycle_status = 'archived' then
    new.archived_at := now();
  else
    new.archived_at := null;
    new.retention_from := now();
  end if;
  return new;
end
$$;
create trigger keep_list_clock before update on public.lists
  for each row execute function app.keep_list_clock();

create function app.keep_kind() returns trigger language plpgsql set search_path = '' as $$
begin
  raise exception '% % holds % data and keeps to it', tg_table_name, old.id, case when old.sandbox then 'sandbox' else 'real' end
    using errcode = 'check_violation', constraint = 'keep_kind';
end
$$;
comment on function app.keep_kind is 'A list holds invented data or real data. So do its runs and their calls.';
create trigger keep_kind before update of sandbox on public.lists
  for each row when (old.sandbox is not null and new.sandbox is distinct from old.sandbox) execute function app.keep_kind();

-- A person has at most 1,000 lists, archived ones included, and makes at most 100 in one statement. This binds every role but the
-- owner of the table: a restore is not bound.

create function app.is_bound_by_limits() returns boolean language sql stable set search_path = ''
as $$
  select not pg_catalog.pg_has_role(current_user, relowner, 'usage')
  from pg_catalog.pg_class where oid = 'public.lists'::pg_catalog.regclass
$$;
comment on function app.is_bound_by_limits is 'Roles without usage on schema app cannot call it themselves; triggers do.';

create function app.limit_lists() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  whose uuid;
  made bigint;
begin
  -- In one order, so that two statements never wait for each other.
  for whose, made in select user_id, count(*) from made_lists group by user_id order by user_id loop
    if made > 100 then
      raise exception 'At most 100 lists can be made at once.'
        using errcode = 'check_violation', constraint = 'lists_at_once', schema = 'public', table = 'lists', hint = 'Send several requests.';
    end if;
    -- Another statement that makes lists of theirs waits until this one is committed, and then counts these.
    perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('lists of ' || whose::text, 0));
    if (select count(*) > 1000 from public.lists where user_id = whose) then
      raise exception 'You have 1,000 lists, which is the most one account can have. Delete lists you no longer need, archived ones included.'
        using errcode = 'check_violation', constraint = 'lists_per_person', schema = 'public', table = 'lists', hint = 'Delete lists you no longer need.';
    end if;
  end loop;
  return null;
end
$$;
create trigger limit_lists after insert on public.lists
  referencing new table as made_lists
  for each statement when (app.is_bound_by_limits()) execute function app.limit_lists();

-- Browsers.
revoke all on public.lists, public.leads from anon, authenticated;
grant select, delete on public.lists to authenticated;
grant insert (user_id, name, search_params, status) on public.lists to authenticated;
grant update (name, updated_at, lifecycle_status, archived_at) on public.lists to authenticated;
grant select on public.leads to authenticated;

do $$
declare
  one text;
begin
  foreach one in array array['public.lists', 'public.leads', 'app.deletion_warnings', 'app.daily_sweep'] loop
    execute format('alter table %s enable row level security', one);
    execute format('alter table %s force row level security', one);
    execute format('create policy server on %s to service_role, fairlead_worker using (true) with check (true)', one);
    execute format('grant select, insert, update, delete on %s to service_role', one);
  end loop;
end
$$;
-- Hosted Supabase grants more by default. Row-level security does not hold for truncate, and only the owner of a table needs the others.
revoke truncate, references, trigger on public.lists, public.leads from service_role;
grant select, update, delete on public.lists to fairlead_worker;
grant select, insert, update on public.leads to fairlead_worker;
grant select, insert, update on app.deletion_warnings, app.daily_sweep to fairlead_worker;

create policy owner_reads on public.lists for select to authenticated
  using (user_id = (select auth.uid()) and (select app.is_active()));
create policy owner_creates on public.lists for insert to authenticated
  with check (user_id = (select auth.uid()) and status = 'processing' and (select app.is_active()));
create policy owner_changes on public.lists for update to authenticated
  using (user_id = (select auth.uid()) and (select app.is_active()))
  with check (user_id = (select auth.uid()));
create policy owner_deletes on public.lists for delete to authenticated
  using (user_id = (select auth.uid()) and (select app.is_active()));
-- The subquery is itself under the policy of lists, and is evaluated once for a statement.
create policy owner_reads on public.leads for select to authenticated
  using (list_id in (select id from public.lists));

revoke all on function app.keep_list_clock, app.keep_kind, app.is_bound_by_limits, app.limit_lists from public;
grant execute on function app.keep_list_clock to service_role;
grant execute on function app.keep_kind to service_role, fairlead_worker;
grant execute on function app.is_bound_by_limits to authenticated, service_role, fairlead_web, fairlead_worker;
