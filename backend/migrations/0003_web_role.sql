-- What a process that answers browsers works as: whatever service_role may, and in a caller's place anon and authenticated.
-- Roles belong to the whole PostgreSQL: another database of it may have made them before.

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

-- Row-level security does not hold for truncate, and nobody but the owner of a table has a use for the others.
revoke truncate, references, trigger on all tables in schema auth from service_role;
