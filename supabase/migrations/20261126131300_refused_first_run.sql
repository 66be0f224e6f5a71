-- Work that is refused before anything was done for its list is kept too, and does not decide which kind of data the list holds.
alter table app.runs alter column sandbox drop not null;
comment on column app.runs.sandbox is
  'Whether it works with invented data. Null for work that was refused before its list held data of either kind.';
alter table app.runs add constraint runs_sandbox_check
  check (sandbox is not null or (state = 'failed' and started_at is null)) not valid;
alter table app.runs validate constraint runs_sandbox_check;
-- The key with the kind of data does not hold a run without one to its list.
alter table app.runs add constraint runs_list_id_only_fkey
  foreign key (list_id) references public.lists (id) on delete set null not valid;
alter table app.runs validate constraint runs_list_id_only_fkey;
