-- Places of open data: what administrators load from files that may be kept, and which release each value came from.

create table app.open_releases (
  id integer primary key check (id > 0),
  source text not null check (source ~ '^[a-z0-9][a-z0-9_-]{0,39}$'),
  release text not null check (char_length(release) between 1 and 60),
  license text not null check (char_length(license) between 1 and 100),
  sandbox boolean not null,
  loaded_at timestamptz not null default now(),
  removed_at timestamptz,
  constraint open_releases_key unique (source, release, license, sandbox)
);
comment on table app.open_releases is
  'What was loaded under which license. A row stays when its places are removed, because values of leads name it.';
comment on column app.open_releases.id is 'Never used again. Leads name it in their sources as open:<id>.';
comment on column app.open_releases.sandbox is 'Whether its places are invented, by their ids.';

create table app.open_imports (
  id integer generated always as identity primary key,
  source text not null,
  release text not null,
  sandbox boolean not null default false,
  files jsonb not null check (jsonb_typeof(files) = 'array'),
  options jsonb not null default '{}' check (jsonb_typeof(options) = 'object'),
  state text not null default 'running' check (state in ('running', 'completed', 'failed')),
  file_number integer not null default 0,
  rows_done bigint not null default 0,
  rows_read bigint not null default 0,
  rows_staged bigint not null default 0,
  added integer,
  changed integer,
  gone integer,
  same integer,
  unusable integer not null default 0,
  message text check (char_length(message) <= 1000),
  started_by uuid references auth.users on delete set null,
  started_at timestamptz not null default now(),
  moved_at timestamptz not null default now(),
  finished_at timestamptz
);
comment on table app.open_imports is
  'Each loading of files, with how far it has come and how it differs from what was there.';
comment on column app.open_imports.files is 'Paths with size and time of change, so that only the same files are resumed.';
comment on column app.open_imports.rows_done is 'Rows of file number file_number that are staged or passed over.';
create unique index open_imports_running_key on app.open_imports (state) where (state = 'running');
create index open_imports_started_by_idx on app.open_imports (started_by);

create table app.open_places (
  source text not null,
  source_id text not null,
  release_id integer not null,
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
  terms text[] not null,
  added_by integer not null,
  changed_by integer not null,
  gone_by integer,
  gone_on date,
  constraint open_places_pkey primary key (source, source_id)
) with (fillfactor = 80);
comment on table app.open_places is 'Places by source and its id. OpenStreetMap has a table of its own, as its license asks.';
comment on column app.open_places.release_id is 'The last release that had it. Not indexed: a new release changes it without touching an index. No foreign key: no release is ever deleted, and a restore fills releases alone.';
comment on column app.open_places.terms is 'What a search finds it by: c:category and w:word of its name.';
comment on column app.open_places.changed_by is 'The import that added it or changed a value last.';
comment on column app.open_places.gone_on is 'When a later release did not have it any more.';
create index open_places_terms_idx on app.open_places using gin (terms);
create index open_places_point_idx on app.open_places using gist (point(longitude, latitude));

create table app.open_street_map_places (like app.open_places including all);
comment on table app.open_street_map_places is 'Places of OpenStreetMap, under the ODbL. Never joined with those of others.';

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
comment on table app.open_staged is 'What the one import under way has read, until all of it is compared with what is there.';
create index open_staged_source_id_idx on app.open_staged (source_id);

create table app.open_matches (
  user_id uuid not null references auth.users on delete cascade,
  place_id text not null check (char_length(place_id) <= 300),
  open_id text not null check (char_length(open_id) <= 300),
  reason text not null check (reason in ('phone', 'domain', 'name_and_distance')),
  sandbox boolean not null,
  matched_at timestamptz not null default now(),
  constraint open_matches_pkey primary key (user_id, place_id, open_id)
);
comment on table app.open_matches is 'Which place of Google is which place of open data: both ids and the reason, and no value of Google.';

alter table public.leads add column open_id text check (char_length(open_id) <= 300);
comment on column public.leads.open_id is 'Source and id of the place of open data that the lead came from, as overture:<id>.';
create unique index leads_list_id_open_id_key on public.leads (list_id, open_id) where (open_id is not null);

alter table app.open_releases enable row level security;
alter table app.open_releases force row level security;
create policy server on app.open_releases to fairlead_worker, service_role using (true) with check (true);
grant select, insert, update on app.open_releases to service_role;
grant select on app.open_releases to fairlead_worker;

alter table app.open_imports enable row level security;
alter table app.open_imports force row level security;
create policy server on app.open_imports to service_role using (true) with check (true);
grant select, insert, update, delete on app.open_imports to service_role;

alter table app.open_places enable row level security;
alter table app.open_places force row level security;
create policy server on app.open_places to fairlead_worker, service_role using (true) with check (true);
grant select, insert, update, delete on app.open_places to service_role;
grant select on app.open_places to fairlead_worker;

alter table app.open_street_map_places enable row level security;
alter table app.open_street_map_places force row level security;
create policy server on app.open_street_map_places to fairlead_worker, service_role using (true) with check (true);
grant select, insert, update, delete on app.open_street_map_places to service_role;
grant select on app.open_street_map_places to fairlead_worker;

alter table app.open_staged enable row level security;
alter table app.open_staged force row level security;
create policy server on app.open_staged to service_role using (true) with check (true);
grant select, insert, delete on app.open_staged to service_role;

alter table app.open_matches enable row level security;
alter table app.open_matches force row level security;
create policy server on app.open_matches to fairlead_worker, service_role using (true) with check (true);
grant select, insert, update, delete on app.open_matches to service_role;
grant select, insert, update on app.open_matches to fairlead_worker;
