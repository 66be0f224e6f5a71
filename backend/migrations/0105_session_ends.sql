-- When a session ends by itself: at its own end, or by the rules of administrators, whichever comes first.
create function auth.session_ends_at(created_at timestamptz, refreshed_at timestamptz, not_after timestamptz)
returns timestamptz language plpgsql stable set search_path = '' as $$
declare
  rules record; -- the table is of a later migration
begin
  select * into strict rules from app.sign_in_rules;
  return least(
    not_after,
    created_at + make_interval(hours => rules.session_max_hours),
    coalesce(refreshed_at, created_at) + make_interval(hours => rules.session_idle_hours)
  );
end
$$;
revoke all on function auth.session_ends_at from public;
grant execute on function auth.session_ends_at to service_role;

-- As before, but a session also ends by the rules of administrators.
create or replace function auth.spend_refresh_token(token_id uuid, child_hash bytea, sealed_child text)
returns table (session json, "user" json, identities json, factors json) language plpgsql set search_path = '' as $$
declare
  own auth.sessions;
begin
  -- Locks the session, as whoever ends it does first. The token is looked at again after whoever was before.
  update auth.sessions as s set refreshed_at = now()
  where s.id = (select t.session_id from auth.refresh_tokens as t where t.id = token_id and t.used_at is null)
    and auth.session_ends_at(s.created_at, s.refreshed_at, s.not_after) > now()
  returning s.* into own;
  if not found then return; end if;
  update auth.refresh_tokens as t set used_at = clock_timestamp(), sealed_child = spend_refresh_token.sealed_child
  where t.id = token_id and t.used_at is null;
  if not found then return; end if;
  insert into auth.refresh_tokens (session_id, token_hash, parent_id) values (own.id, child_hash, token_id);
  return query
  select row_to_json(own), row_to_json(u),
    (select coalesce(json_agg(i order by i.created_at), '[]') from auth.identities as i where i.user_id = u.id),
    (select coalesce(json_agg(f order by f.created_at), '[]') from auth.mfa_factors as f where f.user_id = u.id)
  from auth.users as u where u.id = own.user_id;
end
$$;
