-- Everybody with a verified factor, for the list of users; asked once for all of them.
create function app.people_with_second_step() returns setof uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  return query select distinct user_id from auth.mfa_factors where status = 'verified';
end
$$;
revoke execute on function app.people_with_second_step() from public;
grant execute on function app.people_with_second_step() to service_role;
