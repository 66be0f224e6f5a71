alter table app.surveys
  add column out_of_quota boolean not null default false,
  add column resume_at timestamptz;
comment on column app.surveys.out_of_quota is 'Whether it stopped because the key may ask no more today.';
comment on column app.surveys.resume_at is 'When it goes on by itself, where its owner chose so.';
create index surveys_resume_at_idx on app.surveys (resume_at) where resume_at is not null;
