-- Places of open data that administrators load, their releases and licenses, and which places of Google they are.
-- Written by `npm run db:types` from the migrations. Do not edit.

-- What was loaded under which license. A row stays when its places are removed, because values of leads name it.
create table app.open_releases (
  id integer not null, -- Never used again. Leads name it in their sources as open:<id>.
  source text not null,
  release text not null,
  license text not null,
  sandbox boolean not null, -- Whether its places are invented, by their ids.
  loaded_at timestamptz not null default now(),
  removed_at timestamptz,
  constraint open_releases_pkey primary key (id),
  constraint open_releases_key unique (source, release, license, sandbox),
  constraint open_releases_id_check check (id > 0),
  constraint open_releases_license_check check (char_length(license) >= 1 and char_length(license) <= 100),
  constraint open_releases_release_check check (char_length(release) >= 1 and char_length(release) <= 60),
  constraint open_releases_source_check check (source ~ '^[a-z0-9][a-z0-9_-]{0,39}$')
);
alter table app.open_releases enable row level security;
alter table app.open_releases force row level security;
create policy server on app.open_releases to fairlead_worker, service_role
  using (true)
  with check (true);
grant select on app.open_releases to fairlead_worker;
grant select, insert, update on app.open_releases to service_role;

-- Each loading of files, with how far it has come and how it differs from what was there.
create table app.open_imports (
  id integer not null generated always as identity,
  source text not null,
  release text not null,
  sandbox boolean not null default false,
  files jsonb not null, -- Paths with size and time of change, so that only the same files are resumed.
  options jsonb not null default '{}',
  state text not null default 'running',
  file_number integer not null default 0,
  rows_done bigint not null default 0, -- Rows of file number file_number that are staged or passed over.
  rows_read bigint not null default 0,
  rows_staged bigint not null default 0,
  added integer,
  changed integer,
  gone integer,
  same integer,
  unusable integer not null default 0,
  message text,
  started_by uuid,
  started_at timestamptz not null default now(),
  moved_at timestamptz not null default now(),
  finished_at timestamptz,
  constraint open_imports_pkey primary key (id),
  constraint open_imports_started_by_fkey foreign key (started_by) references auth.users(id) on delete set null,
  constraint open_imports_files_check check (jsonb_typeof(files) = 'array'),
  constraint open_imports_message_check check (char_length(message) <= 1000),
  constraint open_imports_options_check check (jsonb_typeof(options) = 'object'),
  constraint open_imports_state_check check (state in ('running', 'completed', 'failed'))
);
create unique index open_imports_running_key on app.open_imports (state) where (state = 'running');
create index open_imports_started_by_idx on app.open_imports (started_by);
alter table app.open_imports enable row level security;
alter table app.open_imports force row level security;
create policy server on app.open_imports to service_role
  using (true)
  with check (true);
grant select, insert, update, delete on app.open_imports to service_role;

-- Places by source and its id. Those under the ODbL have a table of their own, as their license asks.
create table app.open_places (
  source text not null,
  source_id text not null,
  release_id integer not null, -- The last release that had it. Not indexed: a new release changes it without touching an index. No foreign key: no release is ever deleted, and a restore fills releases alone.
  name text not null,
  categories text[] not null,
  phone text,
  website text,
  email text,
  address text,
  region text,
  latitude double precision not null,
  longitude double precision not null,
  confidence real,
  closed boolean not null,
  closed_on date,
  terms text[] not null, -- What a search finds it by: c:category and w:word of its name.
  added_by integer not null,
  changed_by integer not null, -- The import that added it or changed a value last.
  gone_by integer,
  gone_on date, -- When a later release did not have it any more.
  constraint open_places_pkey primary key (source, source_id)
);
create index open_places_email_host_idx on app.open_places (app.host_key(website)) where (website is not null);
create index open_places_email_phone_idx on app.open_places (app.phone_key(phone)) where ((email is not null) or (website is not null));
create index open_places_point_idx on app.open_places using gist (point(longitude, latitude));
create index open_places_terms_idx on app.open_places using gin (terms);
alter table app.open_places enable row level security;
alter table app.open_places force row level security;
alter table app.open_places set (fillfactor=80);
create policy server on app.open_places to fairlead_worker, service_role
  using (true)
  with check (true);
grant select on app.open_places to fairlead_worker;
grant select, insert, update, delete on app.open_places to service_role;

-- Places under the ODbL: of OpenStreetMap, and of other sources with that license. Never joined with those of others.
create table app.open_street_map_places (
  source text not null,
  source_id text not null,
  release_id integer not null, -- The last release that had it. Not indexed: a new release changes it without touching an index. No foreign key: no release is ever deleted, and a restore fills releases alone.
  name text not null,
  categories text[] not null,
  phone text,
  website text,
  email text,
  address text,
  region text,
  latitude double precision not null,
  longitude double precision not null,
  confidence real,
  closed boolean not null,
  closed_on date,
  terms text[] not null, -- What a search finds it by: c:category and w:word of its name.
  added_by integer not null,
  changed_by integer not null, -- The import that added it or changed a value last.
  gone_by integer,
  gone_on date, -- When a later release did not have it any more.
  constraint open_street_map_places_pkey primary key (source, source_id)
);
create index open_street_map_places_point_idx on app.open_street_map_places using gist (point(longitude, latitude));
create index open_street_map_places_terms_idx on app.open_street_map_places using gin (terms);
alter table app.open_street_map_places enable row level security;
alter table app.open_street_map_places force row level security;
create policy server on app.open_street_map_places to fairlead_worker, service_role
  using (true)
  with check (true);
grant select on app.open_street_map_places to fairlead_worker;
grant select, insert, update, delete on app.open_street_map_places to service_role;

-- What the one import under way has read, until all of it is compared with what is there.
create table app.open_staged (
  row_number bigint not null,
  source_id text not null,
  license text not null,
  name text not null,
  categories text[] not null,
  phone text,
  website text,
  email text,
  address text,
  region text,
  latitude double precision not null,
  longitude double precision not null,
  confidence real,
  closed boolean not null,
  closed_on date,
  terms text[] not null
);
create index open_staged_source_id_idx on app.open_staged (source_id);
alter table app.open_staged enable row level security;
alter table app.open_staged force row level security;
create policy server on app.open_staged to service_role
  using (true)
  with check (true);
grant select, insert, delete on app.open_staged to service_role;

-- Which place of Google is which place of open data: both ids and the reason, and no value of Google.
create table app.open_matches (
  user_id uuid not null,
  place_id text not null,
  open_id text not null,
  reason text not null,
  sandbox boolean not null,
  matched_at timestamptz not null default now(),
  constraint open_matches_pkey primary key (user_id, place_id, open_id),
  constraint open_matches_user_id_fkey foreign key (user_id) references auth.users(id) on delete cascade,
  constraint open_matches_open_id_check check (char_length(open_id) <= 300),
  constraint open_matches_place_id_check check (char_length(place_id) <= 300),
  constraint open_matches_reason_check check (reason in ('phone', 'domain', 'name_and_distance'))
);
alter table app.open_matches enable row level security;
alter table app.open_matches force row level security;
create policy server on app.open_matches to fairlead_worker, service_role
  using (true)
  with check (true);
grant select, insert, update on app.open_matches to fairlead_worker;
grant select, insert, update, delete on app.open_matches to service_role;
create trigger forget_erased before insert or update of place_id on app.open_matches for each row execute function app.forget_erased_match();

-- No match with an erased business is noted.
-- May be called by: fairlead_worker, service_role.
create function app.forget_erased_match()
 returns trigger
 language plpgsql
 security definer
 set search_path to ''
as $function$
begin
  if exists (select from app.erased_contacts) and app.is_erased(array_remove(array[app.suppression_key('business', new.place_id)], null)) then
    return null;
  end if;
  return new;
end
$function$;
