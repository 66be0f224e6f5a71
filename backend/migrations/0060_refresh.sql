-- What everybody does every hour. In functions, whose statements are planned once for a connection instead of each time, behind a pooler too.

-- Whom a refresh token was given to; no row for one that never was, or whose session has ended.
create function auth.holder_of(token_hash bytea) returns table (
  token_id uuid, user_id uuid, email text, role text, banned_until timestamptz, mirrored boolean
) language plpgsql set search_path = '' as $$
begin
  return query
  select token.id, owner.id, profile.email, profile.role, owner.banned_until,
    owner.raw_app_meta_data @> jsonb_build_object('role', profile.role)
      and owner.raw_user_meta_data @> jsonb_build_object('role', profile.role)
  from auth.refresh_tokens as token
  join auth.sessions as session on session.id = token.session_id
  join app.profiles as profile on profile.user_id = session.user_id
  join auth.users as owner on owner.id = session.user_id
  where token.token_hash = holder_of.token_hash;
end
$$;

-- Spends a token that nobody has spent, of a session that goes on, for its child. Answers session, user and what is theirs as they
-- are then; no row where one of the two is not so.
create function auth.spend_refresh_token(token_id uuid, child_hash bytea, sealed_child text)
returns table (session json, "user" json, identities json, factors json) language plpgsql set search_path = '' as $$
declare
  own auth.sessions;
begin
  -- Locks the session, as whoever ends it does first. The token is looked at again after whoever was before.
  update auth.sessions as s set refreshed_at = now()
  where s.id = (select t.session_id from auth.refresh_tokens as t where t.id = token_id and t.used_at is null)
    and (s.not_after is null or s.not_after > now())
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

revoke all on function auth.holder_of, auth.spend_refresh_token from public;
grant execute on function auth.holder_of, auth.spend_refresh_token to service_role;

-- Each row is written twice or more: the next time beside the first, which spares its indexes.
alter table auth.refresh_tokens set (fillfactor = 50);
alter table auth.sessions set (fillfactor = 70);

-- A child may outlive its parent, and nobody looks for the children of one.
alter table auth.refresh_tokens drop constraint refresh_tokens_parent_id_fkey;
drop index auth.refresh_tokens_parent_id_idx;
-- For the sweep of those that were used long ago; next to nothing to keep up.
create index refresh_tokens_created_at_idx on auth.refresh_tokens using brin (created_at);
