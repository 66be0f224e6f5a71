-- What a run's panel reads: its calls in pages, what was settled by hand, and why a run waits.
alter table app.paid_calls add column settled_by_hand_at timestamptz;
create index paid_calls_run_id_planned_at_idx on app.paid_calls (run_id, planned_at desc, id desc);
-- The new one begins with the same column.
drop index if exists app.paid_calls_run_id_idx;

alter table app.runs
  -- Set by the process that works on the run, while nothing of it moves.
  add column waiting_reason text check (waiting_reason in ('limit', 'other_run', 'provider_down')),
  add column waiting_until timestamptz,
  -- How often it stood still without a reason and was given to another process.
  add column stalls integer not null default 0;
