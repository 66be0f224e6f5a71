-- A code that is typed ends sooner than the link beside it: six digits can be guessed.
alter table auth.one_time_tokens
  add column code_expires_at timestamptz not null default now() + interval '10 minutes';
