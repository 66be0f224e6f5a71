-- Surveys that a search takes by itself, certificates that stay what they were, searches that go on the next day, and lists made of others.

alter table app.surveys
  add column run_id uuid references app.runs on delete set null,
  add column at_limit boolean not null default false,
  add column probes_planned integer,
  add column probes_done integer not null default 0;
comment on column app.surveys.run_id is 'The run that counts it, a survey or a search: one at a time.';
comment on column app.surveys.at_limit is 'Whether it stopped because it has found as many places as a survey looks for.';
comment on column app.surveys.probes_planned is 'Leaves to be looked at again; null before the second look begins.';
create index surveys_run_id_idx on app.surveys (run_id) where run_id is not null;

alter table app.list_surveys add column certificate jsonb;
comment on column app.list_surveys.certificate is 'What the survey had covered when the list''s search began to buy. Later passes do not change it.';

alter table app.runs
  add column resume_at timestamptz,
  add column resume_micros bigint;
comment on column app.runs.resume_at is 'When a search that met a day''s limit is begun again, where its owner chose so.';
comment on column app.runs.resume_micros is 'What is left of its bound by then; null while that is not decided.';
create index runs_resume_at_idx on app.runs (resume_at) where resume_at is not null;

alter table public.lists add column came_from jsonb not null default '[]'
  constraint lists_came_from_size check (jsonb_typeof(came_from) = 'array' and octet_length(came_from::text) <= 20000);
comment on column public.lists.came_from is 'The lists that its leads were copied from, newest last: name, how and when.';
