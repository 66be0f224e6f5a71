-- Answers that stay open for long end with the session that asked for them.
create function auth.tell_session_end() returns trigger language plpgsql set search_path = '' as $$
begin
  perform pg_notify('session_ended', old.id::text);
  return null;
end
$$;
create trigger tell_session_end after delete on auth.sessions
  for each row execute function auth.tell_session_end();
