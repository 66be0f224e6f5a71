-- A search that waits for its next day may find that its owner has deleted leads meanwhile. It neither brings nor buys these again.

create table app.removed_leads (
  list_id uuid not null references public.lists (id) on delete cascade,
  place text not null,
  removed_at timestamptz not null default now(),
  primary key (list_id, place)
);
comment on table app.removed_leads is
  'Leads that were deleted or moved while the search of their list waited for its next day: Google''s ids, and ids of open data.';

alter table app.removed_leads enable row level security;
alter table app.removed_leads force row level security;
create policy server on app.removed_leads to fairlead_worker, service_role using (true) with check (true);
grant select on app.removed_leads to fairlead_worker;
grant select, insert, update, delete on app.removed_leads to service_role;
