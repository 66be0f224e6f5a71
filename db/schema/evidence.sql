-- What was known about a contact, and when: a chain of entries that only grows, with personal data sealed beside it.
-- Written by `npm run db:types` from the migrations. Do not edit.

-- Positions count from 1 without a gap. No one changes or deletes an entry, and it outlives accounts, lists and runs. It holds no
-- personal data: ids, and facts that name no one.
create table app.evidence (
  "position" bigint not null,
  ticket bigint not null,
  at timestamptz not null,
  kind text not null,
  actor_id uuid,
  list_id uuid,
  facts json not null, -- JSON as it was written: its very text is part of the hash.
  parts_hash bytea, -- A hash of the hashes of its sealed parts; null where it has none.
  previous_hash bytea not null,
  hash bytea not null, -- SHA-256 of its position, the hash of the entry before, the hash of an earlier one, and the hash of its content.
  constraint evidence_pkey primary key ("position"),
  constraint evidence_ticket_key unique (ticket),
  constraint evidence_facts_check check (octet_length(facts::text) <= 20000),
  constraint evidence_hash_check check (octet_length(hash) = 32),
  constraint evidence_kind_check check (kind ~ '^[a-z]+\.[a-z_]+$'),
  constraint evidence_parts_hash_check check (octet_length(parts_hash) = 32),
  constraint evidence_position_check check ("position" > 0),
  constraint evidence_previous_hash_check check (octet_length(previous_hash) = 32)
);
create index evidence_actor_id_idx on app.evidence (actor_id, "position");
create index evidence_at_idx on app.evidence (at, "position");
create index evidence_contact_erased_idx on app.evidence (((facts ->> 'hash'))) where (kind = 'contact.erased');
create index evidence_export_idx on app.evidence (((facts ->> 'export')), "position") where (kind ~~ 'export.%');
create index evidence_list_id_idx on app.evidence (list_id, "position") where (list_id is not null);
alter table app.evidence enable row level security;
alter table app.evidence force row level security;
create policy server on app.evidence to fairlead_worker, service_role
  using (true)
  with check (true);
grant select on app.evidence to fairlead_worker;
grant select on app.evidence to service_role;
create trigger append_only before delete or update on app.evidence for each row execute function app.refuse_change();
create trigger append_only_whole before truncate on app.evidence for each statement execute function app.refuse_change();

-- The personal data of entries. An erasure destroys the sealed text and leaves its hash, so that the chain still verifies.
create table app.evidence_parts (
  ticket bigint not null,
  part integer not null,
  hash bytea not null, -- SHA-256 of the open text. That begins with random salt, and a hash of its subjects since they are under the proof.
  sealed text, -- Sealed under the key in app.evidence_key.
  erased_at timestamptz,
  erased_by bigint, -- The ticket of the entry that tells of its erasure. Null for a part that went after five years.
  constraint evidence_parts_pkey primary key (ticket, part),
  constraint evidence_parts_check check ((sealed is null) = (erased_at is not null)),
  constraint evidence_parts_erased_by_check check (erased_by is null or sealed is null),
  constraint evidence_parts_hash_check1 check (octet_length(hash) = 32),
  constraint evidence_parts_sealed_check check (char_length(sealed) <= 1000000)
);
create index evidence_parts_erased_by_idx on app.evidence_parts (erased_by) where (erased_by is not null);
alter table app.evidence_parts enable row level security;
alter table app.evidence_parts force row level security;
create policy server on app.evidence_parts to fairlead_worker, service_role
  using (true)
  with check (true);
grant select on app.evidence_parts to service_role;
create trigger append_only before delete or update on app.evidence_parts for each row execute function app.keep_evidence_parts();
create trigger append_only_whole before truncate on app.evidence_parts for each statement execute function app.refuse_change();

-- Whom a sealed part is about, as a keyed hash of a suppression key. It goes with the part.
create table app.evidence_subjects (
  subject bytea not null,
  ticket bigint not null,
  part integer not null,
  constraint evidence_subjects_pkey primary key (ticket, part, subject),
  constraint evidence_subjects_subject_check check (octet_length(subject) = 32)
);
create index evidence_subjects_subject_idx on app.evidence_subjects using hash (subject);
alter table app.evidence_subjects enable row level security;
alter table app.evidence_subjects force row level security;
create policy server on app.evidence_subjects to fairlead_worker, service_role
  using (true)
  with check (true);
grant select on app.evidence_subjects to service_role;
create trigger append_only before update on app.evidence_subjects for each row execute function app.refuse_change();
create trigger append_only_delete before delete on app.evidence_subjects for each row execute function app.keep_evidence_subjects();
create trigger append_only_whole before truncate on app.evidence_subjects for each statement execute function app.refuse_change();

-- The key of sealed parts and of subjects. It is sealed itself, so that new encryption keys leave millions of parts as they are.
create table app.evidence_key (
  singleton boolean not null default true,
  sealed_key text not null,
  created_at timestamptz not null default now(),
  constraint evidence_key_pkey primary key (singleton),
  constraint evidence_key_singleton_check check (singleton)
);
alter table app.evidence_key enable row level security;
alter table app.evidence_key force row level security;
create policy server on app.evidence_key to fairlead_worker, service_role
  using (true)
  with check (true);
grant select, insert on app.evidence_key to fairlead_worker;
grant select, insert on app.evidence_key to service_role;

-- Entries of a transaction that has not ended. Each takes its position as the transaction commits: this table is always empty.
create table app.evidence_waiting (
  ticket bigint not null,
  kind text not null,
  actor_id uuid,
  list_id uuid,
  facts json not null,
  parts_hash bytea,
  constraint evidence_waiting_pkey primary key (ticket)
);
alter table app.evidence_waiting enable row level security;
alter table app.evidence_waiting force row level security;
alter table app.evidence_waiting set (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=2000);
create policy server on app.evidence_waiting to fairlead_worker, service_role
  using (true)
  with check (true);
grant select on app.evidence_waiting to service_role;
create CONSTRAINT trigger link after insert on app.evidence_waiting deferrable initially deferred for each row execute function app.link_evidence();

-- Administrators who want the head of the chain by mail each day.
create table app.evidence_mails (
  user_id uuid not null,
  asked_at timestamptz not null default now(),
  mailed_at timestamptz,
  constraint evidence_mails_pkey primary key (user_id),
  constraint evidence_mails_user_id_fkey foreign key (user_id) references auth.users(id) on delete cascade
);
alter table app.evidence_mails enable row level security;
alter table app.evidence_mails force row level security;
create policy server on app.evidence_mails to fairlead_worker, service_role
  using (true)
  with check (true);
grant select, update (mailed_at) on app.evidence_mails to fairlead_worker;
grant select, insert, update, delete on app.evidence_mails to service_role;

-- Takes entries, in order: [{kind, actor, list, facts: text, parts: [{hash, sealed, subjects: [hex]}]}]. They join the chain as
-- the transaction commits, or not at all.
-- May be called by: fairlead_worker, service_role.
create function app.append_evidence(entries jsonb)
 returns void
 language plpgsql
 security definer
 set search_path to ''
 set plan_cache_mode to 'force_generic_plan'
 set enable_seqscan to 'off'
 set jit to 'off'
as $function$
begin
  with given as materialized (
    select nextval('app.evidence_tickets') as ticket, entry
    from (select value as entry from jsonb_array_elements(entries) with ordinality order by ordinality) as ordered
  ), parts as materialized (
    select given.ticket, part.ordinality::integer as part, decode(part.value ->> 'hash', 'hex') as hash,
      part.value ->> 'sealed' as sealed, part.value -> 'subjects' as subjects
    from given, jsonb_array_elements(given.entry -> 'parts') with ordinality as part
  ), stored_parts as (
    insert into app.evidence_parts (ticket, part, hash, sealed) select ticket, part, hash, sealed from parts
  ), stored_subjects as (
    insert into app.evidence_subjects (subject, ticket, part)
    select distinct decode(subject, 'hex'), ticket, part from parts, jsonb_array_elements_text(subjects) as subject
  )
  insert into app.evidence_waiting (ticket, kind, actor_id, list_id, facts, parts_hash)
  select ticket, entry ->> 'kind', (entry ->> 'actor')::uuid, (entry ->> 'list')::uuid, (entry ->> 'facts')::json, (
    select sha256(convert_to(string_agg(encode(parts.hash, 'hex'), E'\n' order by part), 'UTF8'))
    from parts where parts.ticket = given.ticket)
  from given order by ticket;
end
$function$;

-- Gives the entries of a transaction their positions and hashes. Those who commit at once take turns, so the chain has neither
-- fork nor gap.
-- May be called by: its owner, and triggers.
create function app.link_evidence()
 returns trigger
 language plpgsql
 security definer
 set search_path to ''
 set plan_cache_mode to 'force_generic_plan'
 set enable_seqscan to 'off'
 set jit to 'off'
as $function$
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
$function$;

-- SHA-256 (hex) of what an entry says, one thing a line.
-- May be called by: fairlead_worker, service_role.
create function app.evidence_content_hash(ticket bigint, at timestamptz, kind text, actor_id uuid, list_id uuid, facts json, parts_hash bytea)
 returns text
 language plpgsql
 stable PARALLEL SAFE
 set search_path to ''
as $function$
begin
  return encode(sha256(convert_to(concat_ws(E'\n', 'fairlead evidence 1', ticket,
    to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), kind, coalesce(actor_id::text, '-'),
    coalesce(list_id::text, '-'), coalesce(encode(parts_hash, 'hex'), '-'), facts::text), 'UTF8')), 'hex');
end
$function$;

-- The earlier entry that an entry names besides the one before: its position without its lowest bit. It makes proofs short.
-- May be called by: fairlead_worker, service_role.
create function app.evidence_skip(entry_position bigint)
 returns bigint
 language plpgsql
 immutable PARALLEL SAFE
 set search_path to ''
as $function$
begin
  return entry_position - (entry_position & -entry_position);
end
$function$;

-- What an entry is known by to all that follow it.
-- May be called by: fairlead_worker, service_role.
create function app.evidence_hash(entry_position bigint, previous_hash bytea, skip_hash bytea, content_hash text)
 returns bytea
 language plpgsql
 immutable PARALLEL SAFE
 set search_path to ''
as $function$
begin
  return sha256(convert_to(concat_ws(E'\n', entry_position, encode(previous_hash, 'hex'), encode(skip_hash, 'hex'),
    content_hash), 'UTF8'));
end
$function$;

-- Destroys every sealed part that is about one of these subjects, and tells of it in the chain. Returns how many.
-- May be called by: service_role.
create function app.erase_evidence_for(actor uuid, subjects bytea[])
 returns integer
 language plpgsql
 security definer
 set search_path to ''
as $function$
declare
  erasing constant bigint := nextval('app.evidence_tickets');
  hashes bytea[];
begin
  select app.destroy_evidence(array_agg(ticket), array_agg(part), erasing) into hashes
  from (select distinct ticket, part from app.evidence_subjects where subject = any(subjects)) as meant;
  perform app.tell_of_erasure(erasing, actor, hashes);
  return cardinality(hashes);
end
$function$;

-- Destroys these sealed parts, and tells of it in the chain. Returns how many.
-- May be called by: service_role.
create function app.erase_evidence_parts(actor uuid, tickets bigint[], parts integer[])
 returns integer
 language plpgsql
 security definer
 set search_path to ''
as $function$
declare
  erasing constant bigint := nextval('app.evidence_tickets');
  hashes bytea[] := app.destroy_evidence(tickets, parts, erasing);
begin
  perform app.tell_of_erasure(erasing, actor, hashes);
  return cardinality(hashes);
end
$function$;

-- The same for servers of the version before, which add an entry of their own as well.
-- May be called by: service_role.
create function app.erase_evidence(subjects bytea[])
 returns integer
 language sql
 security definer
 set search_path to ''
as $function$
  select app.erase_evidence_for(null, subjects)
$function$;

-- Destroys the sealed parts of this transaction that are about those of these contacts that are erased, and tells of it. Returns
-- how many.
-- May be called by: fairlead_worker, service_role.
create function app.erase_late_evidence(contacts text[], subjects bytea[])
 returns integer
 language plpgsql
 security definer
 set search_path to ''
as $function$
declare
  erasing bigint;
  late bytea[];
  hashes bytea[];
begin
  if not exists (select from app.erased_contacts) then
    return 0;
  end if;
  late := array(
    select given.subject from unnest(contacts, subjects) as given (contact, subject) where app.is_erased(array[given.contact])
  );
  if cardinality(late) = 0 then
    return 0;
  end if;
  erasing := nextval('app.evidence_tickets');
  select app.destroy_evidence(array_agg(ticket), array_agg(part), erasing) into hashes
  from (
    select distinct named.ticket, named.part from app.evidence_subjects as named
    -- Entries wait here until their transaction commits, and no one else sees them.
    where named.subject = any(late) and named.ticket in (select ticket from app.evidence_waiting)
  ) as meant;
  perform app.tell_of_erasure(erasing, null, hashes);
  return cardinality(hashes);
end
$function$;

-- Destroys sealed parts whose entry is older than five years (16 CFR 310.5), at most so many. No younger one can be reached by
-- it.
-- May be called by: fairlead_worker, service_role.
create function app.forget_evidence(most integer)
 returns integer
 language plpgsql
 security definer
 set search_path to ''
as $function$
declare
  hashes bytea[];
begin
  select app.destroy_evidence(array_agg(ticket), array_agg(part), null) into hashes
  from (
    select part.ticket, part.part
    from app.evidence as entry join app.evidence_parts as part on part.ticket = entry.ticket
    where entry.at < now() - interval '5 years' and part.sealed is not null
    order by entry.at limit most
  ) as meant;
  return cardinality(hashes);
end
$function$;

-- Destroys these sealed parts, and forgets whom they were about. Returns their hashes.
-- May be called by: its owner, and triggers.
create function app.destroy_evidence(tickets bigint[], places integer[], erasing bigint)
 returns bytea[]
 language plpgsql
 set search_path to ''
as $function$
declare
  hashes bytea[];
begin
  with destroyed as (
    update app.evidence_parts as part set sealed = null, erased_at = clock_timestamp(), erased_by = erasing
    from unnest(tickets, places) as meant (ticket, place)
    where part.ticket = meant.ticket and part.part = meant.place and part.sealed is not null
    returning part.hash
  )
  select array_agg(hash) into hashes from destroyed;
  delete from app.evidence_subjects as named using unnest(tickets, places) as meant (ticket, place)
  where named.ticket = meant.ticket and named.part = meant.place;
  return coalesce(hashes, '{}');
end
$function$;

-- Appends an entry that says which parts were destroyed: how many, and a hash of their hashes.
-- May be called by: its owner, and triggers.
create function app.tell_of_erasure(erasing bigint, actor uuid, hashes bytea[])
 returns void
 language sql
 set search_path to ''
as $function$
  insert into app.evidence_waiting (ticket, kind, actor_id, facts)
  select erasing, 'evidence.erased', actor, format('{"parts":%s,"hashes":"%s"}', cardinality(hashes), (
    select encode(sha256(convert_to(string_agg(encode(hash, 'hex'), E'\n' order by hash), 'UTF8')), 'hex')
    from unnest(hashes) as hash))::json
  where cardinality(hashes) > 0
$function$;

-- A sealed part can be destroyed, and its hash stays. Nothing else can change.
-- May be called by: its owner, and triggers.
create function app.keep_evidence_parts()
 returns trigger
 language plpgsql
 set search_path to ''
as $function$
begin
  if tg_op = 'UPDATE' and old.sealed is not null and new.sealed is null and new.ticket = old.ticket and new.part = old.part
    and new.hash = old.hash then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end
$function$;

-- Whom a sealed part is about can be forgotten once the part is destroyed.
-- May be called by: its owner, and triggers.
create function app.keep_evidence_subjects()
 returns trigger
 language plpgsql
 set search_path to ''
as $function$
begin
  if exists (select from app.evidence_parts as part where part.ticket = old.ticket and part.part = old.part and part.sealed is null) then
    return old;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end
$function$;

-- Active administrators who want the head by mail and got none for so many hours.
-- May be called by: fairlead_worker, service_role.
create function app.evidence_mails_due(hours integer)
 returns table(user_id uuid, email text)
 language sql
 stable security definer
 set search_path to ''
as $function$
  select person.user_id, person.email
  from app.evidence_mails as wanted join app.profiles as person on person.user_id = wanted.user_id
  where person.role = 'admin' and person.status = 'active'
    and coalesce(wanted.mailed_at < now() - hours * interval '1 hour', true)
  order by 1
$function$;
