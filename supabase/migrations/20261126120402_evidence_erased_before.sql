-- What was erased before: one entry tells of it from now on.

do $$
declare
  erasing constant bigint := nextval('app.evidence_tickets');
  tickets bigint[];
  places integer[];
  hashes bytea[];
begin
  -- Found first, and without a lock. Each erasure since the column is there names its entry by itself.
  select array_agg(part.ticket), array_agg(part.part) into tickets, places
  from app.evidence as entry join app.evidence_parts as part on part.ticket = entry.ticket
  where part.sealed is null and part.erased_by is null and entry.at > now() - interval '5 years';
  if tickets is null then
    return;
  end if;
  alter table app.evidence_parts disable trigger append_only;
  with told as (
    update app.evidence_parts as part set erased_by = erasing
    from unnest(tickets, places) as meant (ticket, place)
    where part.ticket = meant.ticket and part.part = meant.place
    returning part.hash
  )
  select array_agg(hash) into hashes from told;
  alter table app.evidence_parts enable trigger append_only;
  perform app.tell_of_erasure(erasing, null, hashes);
end
$$;
