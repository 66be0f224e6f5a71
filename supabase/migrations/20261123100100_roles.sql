-- What our processes work as. Roles belong to the whole PostgreSQL: another of its databases may have made them before.

do $$
begin
  -- A process that serves browsers: what service_role may do, and anon and authenticated in a caller's place.
  if not exists (select from pg_roles where rolname = 'fairlead_web') then
    create role fairlead_web nologin inherit;
    grant fairlead_web to current_user;
  end if;
  if not (pg_has_role('fairlead_web', 'service_role', 'member') and pg_has_role('fairlead_web', 'anon', 'member')
    and pg_has_role('fairlead_web', 'authenticated', 'member'))
  then
    grant anon, authenticated, service_role to fairlead_web;
  end if;
  -- A process that only works on runs. It sees nothing of schema auth.
  if not exists (select from pg_roles where rolname = 'fairlead_worker') then
    create role fairlead_worker nologin inherit;
    grant fairlead_worker to current_user;
  end if;
end
$$;

-- The server's own tables and functions. Nothing in it is granted to anon, and nothing but single functions to authenticated.
create schema app;
revoke all on schema app from public;
grant usage on schema app to service_role, fairlead_worker;
