-- An erased contact does not come back by an answer that was out while it was erased. These triggers hold for every process, and for
-- servers of the version before. Erasing locks the tables, so that a later write sees its hash.

create function app.erased_subject(operation text, subject text) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  key text := case operation
    when 'email_verify' then app.suppression_key('email', subject)
    when 'phone_scrub' then app.suppression_key('phone', subject)
    when 'place' then app.suppression_key('business', subject)
  end;
begin
  return (
    select 'erased ' || left(encode(erased.hash, 'hex'), 16) from app.erased_contacts as erased
    where key is not null and erased.hash = any (app.contact_hashes(array[key]))
  );
end
$$;
comment on function app.erased_subject is
  'What stands instead of the subject of a call or an answer that is about an erased contact; null for every other.';

create function app.forget_erased_subject() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from app.erased_contacts) then
    new.subject := coalesce(app.erased_subject(new.operation, new.subject), new.subject);
    if tg_table_name = 'paid_calls' and new.subject like 'erased %' then
      new.idempotency_key := 'erased ' || new.id;
    end if;
  end if;
  return new;
end
$$;
comment on function app.forget_erased_subject is
  'A call that leaves flight, or a recall, about an erased contact is about its hash from then on. Its cost stays.';
create trigger forget_erased_subject before update of state on app.paid_calls for each row
  when (old.state in ('planned', 'sent') and new.state not in ('planned', 'sent') and new.operation in ('email_verify', 'phone_scrub'))
  execute function app.forget_erased_subject();
create trigger forget_erased_subject before insert on app.recalls for each row
  when (new.operation in ('email_verify', 'phone_scrub')) execute function app.forget_erased_subject();

create function app.forget_erased_answer() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from app.erased_contacts) then
    return new;
  end if;
  if app.erased_subject(new.operation, new.subject) is not null then
    return null;
  end if;
  if jsonb_typeof(new.answer -> 'contacts') = 'array' then
    new.answer := jsonb_set(new.answer, '{contacts}', (
      select coalesce(jsonb_agg(one.said order by one.place), '[]')
      from jsonb_array_elements(new.answer -> 'contacts') with ordinality as one (said, place)
      where not app.is_erased(array_remove(array[app.suppression_key('email', one.said ->> 'email')], null))
    ));
  end if;
  if jsonb_typeof(new.answer -> 'places') = 'array' then
    new.answer := jsonb_set(new.answer, '{places}', (
      select coalesce(jsonb_agg(one.said order by one.place), '[]')
      from jsonb_array_elements(new.answer -> 'places') with ordinality as one (said, place)
      where not app.is_erased(array_remove(array[
        app.suppression_key('phone', one.said ->> 'phone'), app.suppression_key('business', one.said ->> 'id')
      ], null))
    ));
  end if;
  return new;
end
$$;
comment on function app.forget_erased_answer is
  'An answer about an erased contact is not remembered. One that names it among others is remembered without it.';
create trigger forget_erased_answer before insert or update of answer on app.answers for each row
  execute function app.forget_erased_answer();

create function app.seal_call_key() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if strpos(new.idempotency_key, md5(new.subject)) > 0 then
    new.idempotency_key := replace(
      new.idempotency_key, md5(new.subject), encode((app.contact_hashes(array['call ' || new.subject]))[1], 'hex'));
  end if;
  return new;
end
$$;
comment on function app.seal_call_key is
  'The key of a call names its subject by a keyed hash: anyone may work out a plain one of every number. Servers of the version before '
  'write plain ones.';
create trigger seal_call_key before insert on app.paid_calls for each row execute function app.seal_call_key();

revoke all on function app.erased_subject, app.forget_erased_subject, app.forget_erased_answer, app.seal_call_key from public;
grant execute on function app.erased_subject, app.forget_erased_subject, app.forget_erased_answer, app.seal_call_key
  to service_role, fairlead_worker;
