-- Surveys: which places Google has in an area, counted for nothing, and the leaves that prove it. What their searches leave out.
-- Written by `npm run db:types` from the migrations. Do not edit.

-- Which places Google has in an area. A later pass adds, and nothing that was seen is lost.
create table app.surveys (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  sandbox boolean not null,
  subject text not null, -- The area and the business types, in one order: what makes two surveys the same.
  label text not null,
  area jsonb not null,
  frames jsonb not null, -- Rectangles that hold the area, in 1e-7 degrees.
  queries text[] not null,
  state text not null default 'counting',
  why text, -- Why it stopped, in words for its owner.
  passes integer not null default 0,
  free_calls integer not null default 0,
  reprobe jsonb,
  aggregate_count integer,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  used_at timestamptz not null default now(),
  out_of_quota boolean not null default false, -- Whether it stopped because the key may ask no more today.
  resume_at timestamptz, -- When it goes on by itself, where its owner chose so.
  run_id uuid, -- The run that counts it, a survey or a search: one at a time.
  at_limit boolean not null default false, -- Whether it stopped because it has found as many places as a survey looks for.
  probes_planned integer, -- Leaves to be looked at again; null before the second look begins.
  probes_done integer not null default 0,
  constraint surveys_pkey primary key (id),
  constraint surveys_user_id_sandbox_subject_key unique (user_id, sandbox, subject),
  constraint surveys_run_id_fkey foreign key (run_id) references app.runs(id) on delete set null,
  constraint surveys_user_id_fkey foreign key (user_id) references auth.users(id) on delete cascade,
  constraint surveys_queries_check check (cardinality(queries) >= 1 and cardinality(queries) <= 10),
  constraint surveys_state_check check (state in ('counting', 'counted', 'stopped'))
);
create index surveys_resume_at_idx on app.surveys (resume_at) where (resume_at is not null);
create index surveys_run_id_idx on app.surveys (run_id) where (run_id is not null);
alter table app.surveys enable row level security;
alter table app.surveys force row level security;
create policy server on app.surveys to fairlead_worker, service_role
  using (true)
  with check (true);
grant select, insert, update, delete on app.surveys to fairlead_worker;
grant select, insert, update, delete on app.surveys to service_role;

-- Rectangles that cover the frames of a survey exactly, once for each of its queries, in 1e-7 degrees. South and west belong to a
-- rectangle, north and east do not.
create table app.survey_tiles (
  survey_id uuid not null,
  query smallint not null,
  south integer not null,
  west integer not null,
  north integer not null,
  east integer not null,
  state text not null, -- complete: Google had fewer places than it shows. saturated: it had more, in the smallest rectangle. outside: not in the area.
  ids text[] not null default '{}'[],
  pages smallint not null default 0,
  pass integer not null default 0, -- The last pass that looked into it.
  id_pages smallint[] not null default '{}'::smallint[], -- The page of each of the ids. Where there is none, any page may bring it.
  lacked smallint not null default 0, -- How often all its pages were bought, and did not bring all of its places.
  lacked_by uuid, -- The run that bought them last. Taken up again, it buys nothing again.
  constraint survey_tiles_pkey primary key (survey_id, query, south, west, north, east),
  constraint survey_tiles_survey_id_fkey foreign key (survey_id) references app.surveys(id) on delete cascade,
  constraint survey_tiles_check check (south < north and west < east),
  constraint survey_tiles_state_check check (state in ('open', 'outside', 'complete', 'saturated', 'failed'))
);
create index survey_tiles_open_idx on app.survey_tiles (survey_id) where (state in ('open', 'failed'));
alter table app.survey_tiles enable row level security;
alter table app.survey_tiles force row level security;
create policy server on app.survey_tiles to fairlead_worker, service_role
  using (true)
  with check (true);
grant select, insert, update, delete on app.survey_tiles to fairlead_worker;
grant select, insert, update, delete on app.survey_tiles to service_role;

-- Every place that a survey has seen, also where a later look left it out.
create table app.survey_places (
  survey_id uuid not null,
  place_id text not null,
  inside boolean not null default true, -- Whether it was seen in a rectangle that lies in the area as a whole. One that was not may lie outside, if no leaf holds it.
  constraint survey_places_pkey primary key (survey_id, place_id),
  constraint survey_places_survey_id_fkey foreign key (survey_id) references app.surveys(id) on delete cascade
);
alter table app.survey_places enable row level security;
alter table app.survey_places force row level security;
create policy server on app.survey_places to fairlead_worker, service_role
  using (true)
  with check (true);
grant select, insert, update (inside) on app.survey_places to fairlead_worker;
grant select, insert, update, delete on app.survey_places to service_role;

-- The survey that a list was filled from, which is its certificate.
create table app.list_surveys (
  list_id uuid not null,
  survey_id uuid not null,
  certificate jsonb, -- What the survey had covered when the list's search began to buy. Later passes do not change it.
  constraint list_surveys_pkey primary key (list_id),
  constraint list_surveys_list_id_fkey foreign key (list_id) references public.lists(id) on delete cascade,
  constraint list_surveys_survey_id_fkey foreign key (survey_id) references app.surveys(id) on delete cascade
);
create index list_surveys_survey_id_idx on app.list_surveys (survey_id);
alter table app.list_surveys enable row level security;
alter table app.list_surveys force row level security;
create policy server on app.list_surveys to fairlead_worker, service_role
  using (true)
  with check (true);
grant select, insert, update on app.list_surveys to fairlead_worker;
grant select, insert, update, delete on app.list_surveys to service_role;

-- Leads that were deleted or moved while the search of their list waited for its next day: Google's ids, and ids of open data.
create table app.removed_leads (
  list_id uuid not null,
  place text not null,
  removed_at timestamptz not null default now(),
  constraint removed_leads_pkey primary key (list_id, place),
  constraint removed_leads_list_id_fkey foreign key (list_id) references public.lists(id) on delete cascade
);
alter table app.removed_leads enable row level security;
alter table app.removed_leads force row level security;
create policy server on app.removed_leads to fairlead_worker, service_role
  using (true)
  with check (true);
grant select on app.removed_leads to fairlead_worker;
grant select, insert, update, delete on app.removed_leads to service_role;
