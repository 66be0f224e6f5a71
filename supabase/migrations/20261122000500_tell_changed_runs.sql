-- Open pages are told of a run when what they show of it has changed: a lease that is renewed names columns that stay as they are, every
-- 2.5 seconds for each run at work.
create or replace trigger tell_run_change after
  update of state, totals, estimate_micros, bound_micros, waiting_reason, waiting_until, error_code, error_message,
    cancel_requested_at on app.runs
  for each row when (new.list_id is not null and (
    old.state, old.totals, old.estimate_micros, old.bound_micros, old.waiting_reason, old.waiting_until, old.error_code,
    old.error_message, old.cancel_requested_at
  ) is distinct from (
    new.state, new.totals, new.estimate_micros, new.bound_micros, new.waiting_reason, new.waiting_until, new.error_code,
    new.error_message, new.cancel_requested_at
  )) execute function app.tell_run_change();
create trigger tell_new_run after insert on app.runs
  for each row when (new.list_id is not null) execute function app.tell_run_change();
