-- Surveys: which places Google has in an area, counted for nothing, and the leaves that prove it.

alter table app.runs
  drop constraint runs_kind_check,
  add constraint runs_kind_check check (kind in ('search', 'enrichment', 'compliance', 'place', 'survey')),
  drop constraint runs_place_has_no_list,
  add constraint runs_of_no_list check (kind not in ('place', 'survey') or list_id is null);

create table app.surveys (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  sandbox boolean not null,
  subject text not null,
  label text not null,
  area jsonb not null,
  frames jsonb not null,
  queries text[] not null check (cardinality(queries) between 1 and 10),
  state text not null default 'counting' check (state in ('counting', 'counted', 'stopped')),
  why text,
  passes integer not null default 0,
  free_calls integer not null default 0,
  reprobe jsonb,
  aggregate_count integer,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  used_at timestamptz not null default now(),
  unique (user_id, sandbox, subject)
);
comment on table app.surveys is 'Which places Google has in an area. A later pass adds, and nothing that was seen is lost.';
comment on column app.surveys.subject is 'The area and the business types, in one order: what makes two surveys the same.';
comment on column app.surveys.frames is 'Rectangles that hold the area, in 1e-7 degrees.';
comment on column app.surveys.why is 'Why it stopped, in words for its owner.';

create table app.survey_tiles (
  survey_id uuid not null references app.surveys on delete cascade,
  query smallint not null,
  south integer not null,
  west integer not null,
  north integer not null,
  east integer not null,
  state text not null check (state in ('open', 'outside', 'complete', 'saturated', 'failed')),
  ids text[] not null default '{}',
  pages smallint not null default 0,
  pass integer not null default 0,
  primary key (survey_id, query, south, west, north, east),
  check (south < north and west < east)
);
comment on table app.survey_tiles is
  'Rectangles that cover the frames of a survey exactly, once for each of its queries, in 1e-7 degrees. South and west belong to a rectangle, north and east do not.';
comment on column app.survey_tiles.state is
  'complete: Google had fewer places than it shows. saturated: it had more, in the smallest rectangle. outside: not in the area.';
comment on column app.survey_tiles.pass is 'The last pass that looked into it.';
create index survey_tiles_open_idx on app.survey_tiles (survey_id) where state in ('open', 'failed');

create table app.survey_places (
  survey_id uuid not null references app.surveys on delete cascade,
  place_id text not null,
  primary key (survey_id, place_id)
);
comment on table app.survey_places is 'Every place that a survey has seen, also where a later look left it out.';

create table app.list_surveys (
  list_id uuid primary key references public.lists on delete cascade,
  survey_id uuid not null references app.surveys on delete cascade
);
create index list_surveys_survey_id_idx on app.list_surveys (survey_id);
comment on table app.list_surveys is 'The survey that a list was filled from, which is its certificate.';

do $$
declare
  tbl text;
begin
  foreach tbl in array array['surveys', 'survey_tiles', 'survey_places', 'list_surveys'] loop
    execute format('alter table app.%I enable row level security', tbl);
    execute format('alter table app.%I force row level security', tbl);
    execute format('create policy server on app.%I to fairlead_worker, service_role using (true) with check (true)', tbl);
    execute format('grant select, insert, update, delete on app.%I to service_role', tbl);
  end loop;
end
$$;
grant select, insert, update, delete on app.surveys to fairlead_worker;
grant select, insert, update, delete on app.survey_tiles to fairlead_worker;
grant select, insert on app.survey_places to fairlead_worker;
grant select, insert, update on app.list_surveys to fairlead_worker;
