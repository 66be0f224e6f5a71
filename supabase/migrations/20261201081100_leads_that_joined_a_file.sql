-- A lead that was merged or moved into a list of a file, where its business is already, lives on in the lead of the file alone.

create table app.joined_leads (lead_id uuid primary key references public.leads on delete cascade);
comment on table app.joined_leads is 'Leads of files in which leads that came from elsewhere live on: undoing the file leaves them.';

alter table app.joined_leads enable row level security;
alter table app.joined_leads force row level security;
create policy server on app.joined_leads to fairlead_worker, service_role using (true) with check (true);
grant select, insert, update, delete on app.joined_leads to service_role;
grant select on app.joined_leads to fairlead_worker;
