-- As before, but what recovery codes have raised sessions to goes with the last factor too: nothing is left that they stood in for.
create or replace function auth.drop_recovery_codes() returns trigger language plpgsql set search_path = '' as $$
begin
  if exists (select from auth.mfa_factors as f where f.user_id = old.user_id and f.status = 'verified') then
    return null;
  end if;
  delete from auth.recovery_codes as c where c.user_id = old.user_id;
  update auth.sessions as s
  set aal = 'aal1', amr = jsonb_path_query_array(s.amr, '$[*] ? (@.method != "mfa/recovery_code")')
  where s.user_id = old.user_id and s.aal = 'aal2' and s.amr @> '[{"method": "mfa/recovery_code"}]';
  return null;
end
$$;
