-- Words in the evidence of someone may mention an erased contact. They are sealed parts of their own.
create function app.erase_evidence_parts(actor uuid, tickets bigint[], parts integer[]) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  erasing constant bigint := nextval('app.evidence_tickets');
  hashes bytea[] := app.destroy_evidence(tickets, parts, erasing);
begin
  perform app.tell_of_erasure(erasing, actor, hashes);
  return cardinality(hashes);
end
$$;
comment on function app.erase_evidence_parts is
  'Destroys these sealed parts, and tells of it in the chain. Returns how many.';
revoke all on function app.erase_evidence_parts from public;
grant execute on function app.erase_evidence_parts to service_role;
