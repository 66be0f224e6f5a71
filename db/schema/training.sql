-- Training videos and how they are shown.
-- Written by `npm run db:types` from the migrations. Do not edit.

create table app.training_videos (
  page_key text not null,
  title text not null,
  embed_code text not null,
  is_active boolean not null default true,
  updated_by uuid,
  updated_at timestamptz not null default now(),
  constraint training_videos_pkey primary key (page_key),
  constraint training_videos_updated_by_fkey foreign key (updated_by) references auth.users(id) on delete set null
);
alter table app.training_videos enable row level security;
alter table app.training_videos force row level security;
create policy server on app.training_videos to service_role
  using (true)
  with check (true);
grant select, insert, update, delete on app.training_videos to service_role;

create table app.training_settings (
  singleton boolean not null default true,
  after_click boolean not null default false, -- Whether a video loads only after a click. Otherwise it loads with its dialog.
  updated_at timestamptz not null default now(),
  constraint training_settings_pkey primary key (singleton),
  constraint training_settings_singleton_check check (singleton)
);
alter table app.training_settings enable row level security;
alter table app.training_settings force row level security;
create policy server on app.training_settings to service_role
  using (true)
  with check (true);
grant select, update on app.training_settings to service_role;
