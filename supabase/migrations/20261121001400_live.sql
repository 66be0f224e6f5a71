-- Open pages are told of changes: 'list_changed' says whose list it is, which one, and which run of it, if it was a run; ids only.

create function app.tell_list_change() returns trigger language plpgsql set search_path = '' as $$
declare
  list public.lists := case when tg_op = 'DELETE' then old else new end;
begin
  perform pg_notify('list_changed', list.user_id || ' ' || list.id);
  return null;
end
$$;
create trigger tell_list_change after insert or update or delete on public.lists
  for each row execute function app.tell_list_change();

create function app.tell_run_change() returns trigger language plpgsql set search_path = '' as $$
begin
  perform pg_notify('list_changed', new.user_id || ' ' || new.list_id || ' ' || new.id);
  return null;
end
$$;
-- Not for a lease that is merely renewed.
create trigger tell_run_change after insert or
  update of state, totals, estimate_micros, bound_micros, waiting_reason, waiting_until, error_code, error_message,
    cancel_requested_at on app.runs
  for each row when (new.list_id is not null) execute function app.tell_run_change();

revoke all on function app.tell_list_change(), app.tell_run_change() from public;
