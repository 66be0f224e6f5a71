-- Signing in by text message, with a number that was confirmed while signed in by mail.
alter table auth.users
  add column phone_change text,
  add column phone_change_sent_at timestamptz;

-- `email` of a text message's code is the number that it went to: digits only, as GoTrue keeps it.
alter table auth.one_time_tokens drop constraint one_time_tokens_token_type_check;
alter table auth.one_time_tokens add constraint one_time_tokens_token_type_check check (
  token_type in (
    'magiclink', 'signup', 'invite', 'recovery', 'email_change_current', 'email_change_new', 'reauthentication', 'sms', 'phone_change'
  )
);
