-- Nothing of the evidence goes unseen: a destroyed part names the entry that tells of it, and whom a part is about stays while it does.

alter table app.evidence_parts add column erased_by bigint;
comment on column app.evidence_parts.erased_by is
  'The ticket of the entry that tells of its erasure. Null for a part that went after five years.';
-- Files of their own look at the parts from before: each lock of this one lasts for a moment.
alter table app.evidence_parts
  add constraint evidence_parts_erased_by_check check (erased_by is null or sealed is null) not valid;
comment on column app.evidence_parts.hash is
  'SHA-256 of the open text. That begins with random salt, and a hash of its subjects since they are under the proof.';

create function app.keep_evidence_subjects() returns trigger language plpgsql set search_path = '' as $$
begin
  if exists (select from app.evidence_parts as part where part.ticket = old.ticket and part.part = old.part and part.sealed is null) then
    return old;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end
$$;
comment on function app.keep_evidence_subjects is 'Whom a sealed part is about can be forgotten once the part is destroyed.';
revoke all on function app.keep_evidence_subjects from public;
create trigger append_only_delete before delete on app.evidence_subjects
  for each row execute function app.keep_evidence_subjects();

create function app.destroy_evidence(tickets bigint[], places integer[], erasing bigint) returns bytea[]
language plpgsql set search_path = '' as $$
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
$$;
comment on function app.destroy_evidence is 'Destroys these sealed parts, and forgets whom they were about. Returns their hashes.';

create function app.tell_of_erasure(erasing bigint, actor uuid, hashes bytea[]) returns void
language sql set search_path = '' as $$
  insert into app.evidence_waiting (ticket, kind, actor_id, facts)
  select erasing, 'evidence.erased', actor, format('{"parts":%s,"hashes":"%s"}', cardinality(hashes), (
    select encode(sha256(convert_to(string_agg(encode(hash, 'hex'), E'\n' order by hash), 'UTF8')), 'hex')
    from unnest(hashes) as hash))::json
  where cardinality(hashes) > 0
$$;
comment on function app.tell_of_erasure is 'Appends an entry that says which parts were destroyed: how many, and a hash of their hashes.';

create function app.erase_evidence_for(actor uuid, subjects bytea[]) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  erasing constant bigint := nextval('app.evidence_tickets');
  hashes bytea[];
begin
  select app.destroy_evidence(array_agg(ticket), array_agg(part), erasing) into hashes
  from (select distinct ticket, part from app.evidence_subjects where subject = any(subjects)) as meant;
  perform app.tell_of_erasure(erasing, actor, hashes);
  return cardinality(hashes);
end
$$;
comment on function app.erase_evidence_for is
  'Destroys every sealed part that is about one of these subjects, and tells of it in the chain. Returns how many.';

create or replace function app.erase_evidence(subjects bytea[]) returns integer
language sql security definer set search_path = '' as $$
  select app.erase_evidence_for(null, subjects)
$$;
comment on function app.erase_evidence is
  'The same for servers of the version before, which add an entry of their own as well.';

create or replace function app.erase_late_evidence(contacts text[], subjects bytea[]) returns integer
language plpgsql security definer set search_path = '' as $$
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
$$;
comment on function app.erase_late_evidence is
  'Destroys the sealed parts of this transaction that are about those of these contacts that are erased, and tells of it. Returns how many.';

create or replace function app.forget_evidence(most integer) returns integer
language plpgsql security definer set search_path = '' as $$
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
$$;
revoke all on function app.destroy_evidence, app.tell_of_erasure, app.erase_evidence_for from public;
grant execute on function app.erase_evidence_for to service_role;
