-- The first of the two looks of a refresh: counts it, and finds whom the token was given to (nulls for one that never was, or whose
-- session has ended), with what the gate wants to know of them. auth.holder_of stays for the version before this one.
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
revoke all on function auth.begin_refresh from public;
grant execute on function auth.begin_refresh to service_role;
