-- Training videos and how they are shown in this workspace.

create table app.training_videos (
  page_key text primary key,
  title text not null,
  embed_code text not null,
  is_active boolean not null default true,
  updated_by uuid references auth.users on delete set null,
  updated_at timestamptz not null default now()
);

create table app.training_settings (
  singleton boolean primary key default true check (singleton),
  after_click boolean not null default false,
  updated_at timestamptz not null default now()
);
insert into app.training_settings default values;
comment on column app.training_settings.after_click is 'Whether a video loads only after a click. Otherwise it loads with its dialog.';

do $$
declare
  one text;
begin
  foreach one in array array['training_videos', 'training_settings'] loop
    execute format('alter table app.%I enable row level security', one);
    execute format('alter table app.%I force row level security', one);
    execute format('create policy server on app.%I to service_role using (true) with check (true)', one);
  end loop;
end
$$;
grant select, insert, update, delete on app.training_videos to service_role;
grant select, update on app.training_settings to service_role;
