-- How training videos are shown in this workspace. A video loads with its dialog unless an administrator wants a click first.
create table app.training_settings (
  singleton boolean primary key default true check (singleton),
  after_click boolean not null default false,
  updated_at timestamptz not null default now()
);
insert into app.training_settings default values;
alter table app.training_settings enable row level security;
alter table app.training_settings force row level security;
create policy server on app.training_settings to service_role using (true) with check (true);
grant select, update on app.training_settings to service_role;
