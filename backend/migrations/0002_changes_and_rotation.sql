-- A change of address under way, in GoTrue's columns: the status is 1 once one of the two mailboxes has confirmed.
alter table auth.users
  add column email_change text,
  add column email_change_sent_at timestamptz,
  add column email_change_confirm_status smallint not null default 0 check (email_change_confirm_status in (0, 1));

-- Null once it was guessed wrong too often: the link of the same mail goes on working.
alter table auth.one_time_tokens alter column code_hash drop not null;

-- When another key took its place. Its tokens are believed until they have expired.
alter table auth.signing_keys add column retired_at timestamptz;
create unique index signing_keys_one_standby on auth.signing_keys (status) where status = 'standby';
