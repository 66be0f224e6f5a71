-- What the websites of businesses told, and whose turn it is to ask one.

create table app.website_answers (
  sandbox boolean not null,
  domain text not null check (domain = lower(domain) and char_length(domain) between 3 and 253),
  visit jsonb not null check (jsonb_typeof(visit) = 'object' and octet_length(visit::text) <= 60000),
  visited_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (sandbox, domain)
);
comment on table app.website_answers is
  'What a visit to a website brought, for everyone who has a lead of that domain: it is the same for everyone. Sandbox and real are apart.';
comment on column app.website_answers.visit is
  'Its status, and by page: addresses with whether their domain takes mail, phones, profiles, and a notice against taking addresses.';
create index website_answers_expires_at_idx on app.website_answers (expires_at);

create table app.website_turns (
  host text primary key check (char_length(host) between 1 and 300),
  free_at timestamptz not null
);
comment on table app.website_turns is
  'When a website may be asked again. The process that asks holds the turn for a while, so that a process that died gives it back.';
create index website_turns_free_at_idx on app.website_turns (free_at);

alter table app.website_answers enable row level security;
alter table app.website_answers force row level security;
alter table app.website_turns enable row level security;
alter table app.website_turns force row level security;
create policy server on app.website_answers to fairlead_worker, service_role using (true) with check (true);
create policy server on app.website_turns to fairlead_worker, service_role using (true) with check (true);
grant select, insert, update, delete on app.website_answers, app.website_turns to fairlead_worker, service_role;

create function app.take_website_turn(host text, holds_ms integer) returns double precision
language plpgsql set search_path = '' as $$
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
$$;
comment on function app.take_website_turn is
  'Takes the turn to ask a website, for so long at most. Returns 0, or the ms after which to try again.';

create function app.end_website_turn(host text, gap_ms integer) returns void
language sql set search_path = '' as $$
  update app.website_turns as turn set free_at = clock_timestamp() + gap_ms * interval '1 millisecond'
  where turn.host = end_website_turn.host
$$;
comment on function app.end_website_turn is 'Gives the turn back; the next one begins after the gap.';
revoke all on function app.take_website_turn, app.end_website_turn from public;
grant execute on function app.take_website_turn, app.end_website_turn to fairlead_worker, service_role;

alter table public.leads
  add column site_visit jsonb
    constraint leads_site_visit_check check (jsonb_typeof(site_visit) = 'object' and octet_length(site_visit::text) <= 20000);
comment on column public.leads.site_visit is
  'What the business''s own website told: status, time, and by page what was found there. Null where it was not visited.';
