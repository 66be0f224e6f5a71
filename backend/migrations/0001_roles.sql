-- What hosted Supabase brings along and the product relies on: the API roles, the schema auth, and its helpers.
-- Roles belong to the whole PostgreSQL: another of its databases may have made them before.

do $$
declare
  api_role text;
begin
  foreach api_role in array array['anon', 'authenticated', 'service_role'] loop
    if not exists (select from pg_roles where rolname = api_role) then
      execute format('create role %I nologin noinherit', api_role);
    end if;
    execute format('grant %I to current_user', api_role);
  end loop;
end
$$;

create schema auth;
grant usage on schema auth to anon, authenticated, service_role;

create function auth.jwt() returns jsonb language sql stable
as $$ select nullif(current_setting('request.jwt.claims', true), '')::jsonb $$;

create function auth.uid() returns uuid language sql stable
as $$ select nullif(auth.jwt() ->> 'sub', '')::uuid $$;

create function auth.role() returns text language sql stable
as $$ select auth.jwt() ->> 'role' $$;
