-- Every policy for browsers asks whether its caller is active. Until PostgreSQL 18 a function in SQL is planned anew for each statement
-- that asks, which takes longer than the answer.
create or replace function app.is_active() returns boolean language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from app.profiles where user_id = auth.uid() and status = 'active')
    and (
      nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'aal' is not distinct from 'aal2'
      or not app.needs_second_step(auth.uid())
    );
end
$$;
