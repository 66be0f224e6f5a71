-- Owners of exports are told of an erasure, too: their files still hold the contact.

create table app.erasure_notices (
  id uuid primary key,
  hash bytea not null references app.erased_contacts on delete cascade,
  user_id uuid not null references auth.users on delete cascade,
  sealed_notice text,
  asked_at timestamptz not null default now(),
  unique (hash, user_id)
);
comment on table app.erasure_notices is
  'Who is to be mailed that their exports held a contact which was erased: once for each.';
comment on column app.erasure_notices.sealed_notice is 'What the mail says. Null once it is sent, after 30 days, or for whom was told when it was suppressed.';
create index erasure_notices_user_id_idx on app.erasure_notices (user_id);
create index erasure_notices_waiting_idx on app.erasure_notices (asked_at) where sealed_notice is not null;
alter table app.erasure_notices enable row level security;
alter table app.erasure_notices force row level security;
create policy server on app.erasure_notices to fairlead_worker, service_role using (true) with check (true);
revoke all on app.erasure_notices from public;
grant select, update on app.erasure_notices to fairlead_worker;
grant select, insert, update, delete on app.erasure_notices to service_role;
