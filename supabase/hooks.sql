-- The custom-access-token hook as a function of the database, for a hosted Supabase that cannot reach this server. It knows what the
-- database knows: the disabled get no token and no refresh, nor does anyone by a password. The CRM is asked by the webhook only, see
-- docs/hosted-supabase.md.
-- To be run after the migrations, by the owner of the tables; may be repeated.

create or replace function app.custom_access_token_hook(event jsonb) returns jsonb
language sql stable set search_path = '' as $$
  select case
    -- Anyone who signs up first with an address has chosen its password, anyone who confirms it.
    when event ->> 'authentication_method' = 'password'
      or event -> 'claims' -> 'amr' @> '[{"method": "password"}]' or event -> 'claims' -> 'amr' ? 'password' then
      jsonb_build_object('error', jsonb_build_object(
        'http_code', 403, 'message', 'Access denied. This email does not have the required access.'))
    when exists (select from app.profiles where user_id = (event ->> 'user_id')::uuid and status = 'disabled') then
      jsonb_build_object('error', jsonb_build_object(
        'http_code', 403,
        'message', 'Access denied. Please contact support if you believe this is an error.'))
    else jsonb_build_object('claims', event -> 'claims')
  end
$$;

-- Runs with the rights of Supabase's auth server, which gets to see these two columns and nothing else of ours.
grant usage on schema app to supabase_auth_admin;
grant select (user_id, status) on app.profiles to supabase_auth_admin;
drop policy if exists token_hook on app.profiles;
create policy token_hook on app.profiles for select to supabase_auth_admin using (true);

revoke execute on function app.custom_access_token_hook from public, anon, authenticated;
grant execute on function app.custom_access_token_hook to supabase_auth_admin;
