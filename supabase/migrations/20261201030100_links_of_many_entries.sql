-- Entries of one transaction join the chain together: the first of them links all. So the head is read once, and they are written once.

create or replace function app.link_evidence() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  head record;
  waiting record;
  place bigint;
  moment timestamptz;
  last_hash bytea;
  skip bigint;
  skip_hash bytea;
  nothing constant bytea := decode(repeat('00', 32), 'hex');
  -- Of the entries that are linked here.
  tickets bigint[] := '{}';
  moments timestamptz[] := '{}';
  hashes bytea[] := '{}';
begin
  if not exists (select from app.evidence_waiting where ticket = new.ticket) then
    return null;
  end if;
  -- The last lock of a transaction, and held for its commit alone.
  perform pg_advisory_xact_lock(hashtextextended('evidence chain', 0));
  select position, at, hash into head from app.evidence order by position desc limit 1;
  place := coalesce(head.position, 0);
  moment := head.at;
  last_hash := coalesce(head.hash, nothing);
  -- Others see theirs: nothing in this table is ever committed.
  for waiting in select * from app.evidence_waiting where ticket >= new.ticket order by ticket loop
    place := place + 1;
    -- A clock that was set back takes no entry before the one that it follows.
    moment := greatest(clock_timestamp(), moment);
    skip := app.evidence_skip(place);
    skip_hash := hashes[skip - place + 1 + cardinality(hashes)];
    if skip_hash is null then
      select hash into skip_hash from app.evidence where position = skip;
    end if;
    last_hash := app.evidence_hash(place, last_hash, coalesce(skip_hash, nothing), app.evidence_content_hash(waiting.ticket, moment,
      waiting.kind, waiting.actor_id, waiting.list_id, waiting.facts, waiting.parts_hash));
    tickets := tickets || waiting.ticket;
    moments := moments || moment;
    hashes := hashes || last_hash;
  end loop;
  insert into app.evidence (position, ticket, at, kind, actor_id, list_id, facts, parts_hash, previous_hash, hash)
  select place - cardinality(tickets) + linked.nth, linked.ticket, linked.moment, entry.kind, entry.actor_id, entry.list_id, entry.facts,
    entry.parts_hash, lag(linked.hash, 1, coalesce(head.hash, nothing)) over (order by linked.nth), linked.hash
  from unnest(tickets, moments, hashes) with ordinality as linked (ticket, moment, hash, nth)
    join app.evidence_waiting as entry on entry.ticket = linked.ticket
  order by linked.nth;
  delete from app.evidence_waiting where ticket = any (tickets);
  return null;
end
$$;
comment on function app.link_evidence is
  'Gives the entries of a transaction their positions and hashes. Those who commit at once take turns, so the chain has neither fork nor gap.';

-- Hashes are worked out for each entry. In PL/pgSQL that needs no query of its own.
create or replace function app.evidence_content_hash(
  ticket bigint, at timestamptz, kind text, actor_id uuid, list_id uuid, facts json, parts_hash bytea
) returns text language plpgsql stable parallel safe set search_path = '' as $$
begin
  return encode(sha256(convert_to(concat_ws(E'\n', 'fairlead evidence 1', ticket,
    to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), kind, coalesce(actor_id::text, '-'),
    coalesce(list_id::text, '-'), coalesce(encode(parts_hash, 'hex'), '-'), facts::text), 'UTF8')), 'hex');
end
$$;

create or replace function app.evidence_skip(entry_position bigint) returns bigint
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return entry_position - (entry_position & -entry_position);
end
$$;

create or replace function app.evidence_hash(entry_position bigint, previous_hash bytea, skip_hash bytea, content_hash text) returns bytea
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return sha256(convert_to(concat_ws(E'\n', entry_position, encode(previous_hash, 'hex'), encode(skip_hash, 'hex'),
    content_hash), 'UTF8'));
end
$$;
