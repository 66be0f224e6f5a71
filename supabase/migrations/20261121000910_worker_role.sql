-- What a process that only works on runs works as. It sees nothing of schema auth, and of ours what runs, the daily sweep and the
-- CRM's keeper need. Like all roles it belongs to the whole PostgreSQL: another database of it may have made it before.

do $$
declare
  one text;
begin
  if not exists (select from pg_roles where rolname = 'fairlead_worker') then
    create role fairlead_worker nologin inherit;
    grant fairlead_worker to current_user;
  end if;
  foreach one in array array[
    'public.lists', 'public.leads', 'app.runs', 'app.paid_calls', 'app.answers', 'app.provider_keys', 'app.call_spacing',
    'app.rate_limits', 'app.profiles', 'app.crm_connection', 'app.deletion_warnings', 'app.daily_sweep', 'app.audit_log'
  ] loop
    execute format('alter policy server on %s to service_role, fairlead_worker', one);
  end loop;
end
$$;

grant usage on schema app to fairlead_worker;
grant execute on function app.take_slot, app.try_slot to fairlead_worker;

-- Runs.
grant select, insert, update on public.leads, app.call_spacing to fairlead_worker;
grant select, update on app.runs to fairlead_worker;
grant select, update, delete on public.lists to fairlead_worker;
grant select, insert, update, delete on app.answers, app.paid_calls to fairlead_worker;
-- What was planned and not needed goes; what was sent is the ledger.
create policy keeps_the_ledger on app.paid_calls as restrictive for delete to fairlead_worker using (state = 'planned');
grant select, update (last_used_at) on app.provider_keys to fairlead_worker;

-- The CRM's keeper.
grant select, update on app.crm_connection to fairlead_worker;

-- The daily sweep.
grant select (user_id, email) on app.profiles to fairlead_worker;
grant select, insert, update on app.deletion_warnings, app.daily_sweep to fairlead_worker;
grant select, delete on app.rate_limits to fairlead_worker;
-- Whoever locks lines before deleting them must be allowed to change one column. This one is always generated.
grant select (id, at, action), update (id), delete on app.audit_log to fairlead_worker;

-- Row-level security does not hold for truncate, and nobody but the owner of a table has a use for the others.
revoke truncate, references, trigger on public.lists, public.leads from service_role;
