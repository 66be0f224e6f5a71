-- Each network that asks for a link to an address has a mail of its own, so that strangers cannot spend the owner's.
-- asked_from: a keyed hash of the network; null for what someone asked who was signed in, or the admin API.
-- user_metadata: what whoever asked says of themselves; it counts once the mail has signed its reader in.
-- code_number: a mail that is sent again after its code was burnt carries the next one.
-- sent_at: null until it is on its way.
alter table auth.one_time_tokens
  add column asked_from text,
  add column user_metadata jsonb,
  add column code_number integer not null default 0,
  add column sent_at timestamptz;
alter table auth.flow_state add column user_metadata jsonb;

-- The other browsers that may finish with the link of a flow: they asked while its mail was on its way already.
create table auth.flow_challenges (
  id uuid primary key default gen_random_uuid(),
  flow_state_id uuid not null references auth.flow_state on delete cascade,
  asked_from text not null,
  code_challenge text not null,
  user_metadata jsonb,
  created_at timestamptz not null default now()
);
create index flow_challenges_flow_state_id_idx on auth.flow_challenges (flow_state_id);

-- Networks from which someone has signed in: what they ask for from there, no stranger spends.
create table auth.known_networks (
  user_id uuid not null references auth.users on delete cascade,
  network text not null,
  seen_at timestamptz not null default now(),
  primary key (user_id, network)
);
create index known_networks_seen_at_idx on auth.known_networks (seen_at);

do $$
declare
  one text;
begin
  foreach one in array array['flow_challenges', 'known_networks'] loop
    execute format('alter table auth.%I enable row level security', one);
    execute format('alter table auth.%I force row level security', one);
    execute format('create policy server on auth.%I to service_role using (true) with check (true)', one);
    execute format('grant select, insert, update, delete on auth.%I to service_role', one);
  end loop;
end
$$;

-- RFC 7636 lets a challenge be its own verifier; whoever reads such a request can finish it.
delete from auth.flow_state where code_challenge_method = 'plain';
delete from auth.oauth_flows where code_challenge_method = 'plain';
