-- What everyone does every hour. PostgreSQL plans the statements of a function once for a connection, behind a pooler too.

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
comment on function auth.session_ends_at is
  'When a session ends by itself: at its own end, or by the rules of administrators, whichever comes first.';

create function auth.begin_refresh(
  bucket text, window_ms bigint, token_hash bytea,
  out hits integer, out resets_in_ms bigint,
  out token_id uuid, out user_id uuid, out email text, out role text, out banned_until timestamptz, out mirrored boolean,
  out standing json
) language plpgsql set search_path = '' as $$
begin
  select count.hits, count.resets_in_ms into hits, resets_in_ms from app.count_hit(bucket, window_ms) as count;
  select token.id, owner.id, profile.email, profile.role, owner.banned_until,
    owner.raw_app_meta_data @> jsonb_build_object('role', profile.role)
      and owner.raw_user_meta_data @> jsonb_build_object('role', profile.role),
    to_json(app.standing_of(profile.email))
  into token_id, user_id, email, role, banned_until, mirrored, standing
  from auth.refresh_tokens as token
  join auth.sessions as session on session.id = token.session_id
  join app.profiles as profile on profile.user_id = session.user_id
  join auth.users as owner on owner.id = session.user_id
  where token.token_hash = begin_refresh.token_hash;
end
$$;
comment on function auth.begin_refresh is
  'The first of the two looks of a refresh. It counts the try and finds whom the token was given to, with what the gate wants to '
  'know of them. Nulls for a token that never was, or whose session has ended.';

create function auth.spend_refresh_token(token_id uuid, child_hash bytea, sealed_child text)
returns table (session json, "user" json, identities json, factors json) language plpgsql set search_path = '' as $$
declare
  own auth.sessions;
begin
  -- Locks the session first, as ending it does. The token is looked at again after any earlier caller.
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
comment on function auth.spend_refresh_token is
  'Spends a token that no one has spent, of a session that goes on, for its child. Returns the session, the user and what is '
  'theirs; no row where the token was spent or the session has ended.';

revoke all on function auth.session_ends_at, auth.begin_refresh, auth.spend_refresh_token from public;
grant execute on function auth.session_ends_at, auth.begin_refresh, auth.spend_refresh_token to service_role;
