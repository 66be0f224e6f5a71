-- What a process that answers browsers works as, where our own backend has not made it: hosted Supabase has the three API roles, and
-- not this one.

do $$
begin
  if not exists (select from pg_roles where rolname = 'fairlead_web') then
    create role fairlead_web nologin inherit;
    grant fairlead_web to current_user;
  end if;
  if not (pg_has_role('fairlead_web', 'service_role', 'member') and pg_has_role('fairlead_web', 'anon', 'member')
    and pg_has_role('fairlead_web', 'authenticated', 'member'))
  then
    grant anon, authenticated, service_role to fairlead_web;
  end if;
end
$$;
