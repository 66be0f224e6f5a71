-- What the daily sweep needs: what it has announced, when it last ran, and the way to what is due.

-- A list is announced once for each time it is archived; deletes_at is the earliest moment that the mail named.
create table app.deletion_warnings (
  list_id uuid primary key references public.lists on delete cascade,
  archived_at timestamptz not null,
  warned_at timestamptz not null default now(),
  deletes_at timestamptz not null
);

create table app.daily_sweep (
  singleton boolean primary key default true check (singleton),
  swept_at timestamptz not null
);

create index lists_archived_at_idx on public.lists (archived_at) where lifecycle_status = 'archived';
create index leads_coordinates_idx on public.leads (place_call_id) where latitude is not null;
create index paid_calls_coordinates_idx on app.paid_calls (settled_at)
  where operation = 'search_page' and subject ~ ' m of [-0-9.e]+,[-0-9.e]+, page ';

do $$
declare
  one text;
begin
  foreach one in array array['deletion_warnings', 'daily_sweep'] loop
    execute format('alter table app.%I enable row level security', one);
    execute format('alter table app.%I force row level security', one);
    execute format('create policy server on app.%I to service_role using (true) with check (true)', one);
    execute format('grant select, insert, update, delete on app.%I to service_role', one);
  end loop;
end
$$;
