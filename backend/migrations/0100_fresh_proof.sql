-- When the person of a session last showed again that it is them: by a code of their mailbox or a second step. Null: when they signed in.
alter table auth.sessions add column proven_at timestamptz;

-- The session that a code was mailed for: no other one can use it, and it ends with that session. Null for mails that sign in.
alter table auth.one_time_tokens add column session_id uuid references auth.sessions on delete cascade;
create index one_time_tokens_session_id_idx on auth.one_time_tokens (session_id) where session_id is not null;
