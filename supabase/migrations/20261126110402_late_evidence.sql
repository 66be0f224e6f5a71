-- Destroys the sealed parts of this transaction that are about those of these contacts that are erased. Returns how many.
create function app.erase_late_evidence(contacts text[], subjects bytea[])
 returns integer
 language plpgsql
 security definer
 set search_path to ''
as $$
declare
  late bytea[];
  parts integer;
begin
  if not exists (select from app.erased_contacts) then
    return 0;
  end if;
  late := array(
    select given.subject from unnest(contacts, subjects) as given (contact, subject) where app.is_erased(array[given.contact])
  );
  with meant as (
    select distinct named.ticket, named.part from app.evidence_subjects as named
    -- Entries wait here until their transaction commits, and no one else sees them.
    where named.subject = any(late) and named.ticket in (select ticket from app.evidence_waiting)
  ), forgotten as (
    delete from app.evidence_subjects as named using meant where named.ticket = meant.ticket and named.part = meant.part
  ), erased as (
    update app.evidence_parts as part set sealed = null, erased_at = clock_timestamp()
    from meant where part.ticket = meant.ticket and part.part = meant.part and part.sealed is not null
    returning 1
  )
  select count(*)::integer into parts from erased;
  return parts;
end
$$;
revoke execute on function app.erase_late_evidence from public;
grant execute on function app.erase_late_evidence to fairlead_worker, service_role;
