-- What the websites of businesses told, and whose turn it is to ask one.
-- Written by `npm run db:types` from the migrations. Do not edit.

-- What a visit to a website brought, for everyone who has a lead with it: it is the same for everyone. Sandbox and real are
-- apart.
create table app.website_answers (
  sandbox boolean not null,
  domain text not null, -- The host of the website without "www.": those below one domain may be of many businesses.
  visit jsonb not null, -- Its status, and by page: addresses with whether their domain takes mail, phones, profiles, and a notice against taking addresses.
  visited_at timestamptz not null default now(),
  expires_at timestamptz not null,
  constraint website_answers_pkey primary key (sandbox, domain),
  constraint website_answers_domain_check check (domain = lower(domain) and char_length(domain) >= 3 and char_length(domain) <= 253),
  constraint website_answers_visit_check check (jsonb_typeof(visit) = 'object' and octet_length(visit::text) <= 60000)
);
create index website_answers_expires_at_idx on app.website_answers (expires_at);
alter table app.website_answers enable row level security;
alter table app.website_answers force row level security;
create policy server on app.website_answers to fairlead_worker, service_role
  using (true)
  with check (true);
grant select, insert, update, delete on app.website_answers to fairlead_worker;
grant select, insert, update, delete on app.website_answers to service_role;

-- When a website may be asked again. The process that asks holds the turn for a while, so that a process that died gives it back.
create table app.website_turns (
  host text not null,
  free_at timestamptz not null,
  constraint website_turns_pkey primary key (host),
  constraint website_turns_host_check check (char_length(host) >= 1 and char_length(host) <= 300)
);
create index website_turns_free_at_idx on app.website_turns (free_at);
alter table app.website_turns enable row level security;
alter table app.website_turns force row level security;
create policy server on app.website_turns to fairlead_worker, service_role
  using (true)
  with check (true);
grant select, insert, update, delete on app.website_turns to fairlead_worker;
grant select, insert, update, delete on app.website_turns to service_role;

-- Takes the turn to ask a website, for so long at most. Returns 0, or the ms after which to try again.
-- May be called by: fairlead_worker, service_role.
create function app.take_website_turn(host text, holds_ms integer)
 returns double precision
 language plpgsql
 set search_path to ''
as $function$
declare
  until timestamptz := clock_timestamp() + holds_ms * interval '1 millisecond';
  taken boolean;
begin
  insert into app.website_turns as turn (host, free_at) values (take_website_turn.host, until)
  on conflict on constraint website_turns_pkey do update set free_at = until where turn.free_at <= clock_timestamp()
  returning true into taken;
  if taken then return 0; end if;
  return (
    select greatest(1, extract(epoch from turn.free_at - clock_timestamp()) * 1000)
    from app.website_turns as turn where turn.host = take_website_turn.host
  );
end
$function$;

-- Gives the turn back; the next one begins after the gap.
-- May be called by: fairlead_worker, service_role.
create function app.end_website_turn(host text, gap_ms integer)
 returns void
 language sql
 set search_path to ''
as $function$
  update app.website_turns as turn set free_at = clock_timestamp() + gap_ms * interval '1 millisecond'
  where turn.host = end_website_turn.host
$function$;
