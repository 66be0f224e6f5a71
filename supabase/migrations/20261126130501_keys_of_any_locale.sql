-- Keys that say the same whatever the locale of the database knows, names in every script, and domains in one spelling.

create function app.folded(said text) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  plain text := lower(said collate "C");
begin
  if octet_length(plain) <> length(plain) then
    plain := normalize(plain, nfkd);
    plain := translate(plain,
      U&'\00c6\00d0\00d8\00de\0110\0126\0141\014a\0152\0166\0181\0182\0184\0186\0187\0189\018a\018b\018e\018f\0190\0191\0193\0194' ||
      U&'\0196\0197\0198\019c\019d\019f\01a2\01a4\01a6\01a7\01a9\01ac\01ae\01b1\01b2\01b3\01b5\01b7\01b8\01bc\01e4\01f6\01f7\021c' ||
      U&'\0220\0222\0224\023a\023b\023d\023e\0241\0243\0244\0245\0246\0248\024a\024c\024e\0370\0372\0376\037f\0391\0392\0393\0394' ||
      U&'\0395\0396\0397\0398\0399\039a\039b\039c\039d\039e\039f\03a0\03a1\03a3\03a4\03a5\03a6\03a7\03a8\03a9\03cf\03d8\03da\03dc' ||
      U&'\03de\03e0\03e2\03e4\03e6\03e8\03ea\03ec\03ee\03f7\03fa\03fd\03fe\03ff\0402\0404\0405\0406\0408\0409\040a\040b\040f\0410' ||
      U&'\0411\0412\0413\0414\0415\0416\0417\0418\041a\041b\041c\041d\041e\041f\0420\0421\0422\0423\0424\0425\0426\0427\0428\0429' ||
      U&'\042a\042b\042c\042d\042e\042f\0460\0462\0464\0466\0468\046a\046c\046e\0470\0472\0474\0478\047a\047c\047e\0480\048a\048c' ||
      U&'\048e\0490\0492\0494\0496\0498\049a\049c\049e\04a0\04a2\04a4\04a6\04a8\04aa\04ac\04ae\04b0\04b2\04b4\04b6\04b8\04ba\04bc' ||
      U&'\04be\04c0\04c3\04c5\04c7\04c9\04cb\04cd\04d4\04d8\04e0\04e8\04f6\04fa\04fc\04fe\0500\0502\0504\0506\0508\050a\050c\050e' ||
      U&'\0510\0512\0514\0516\0518\051a\051c\051e\0520\0522\0524\0526\0528\052a\052c\052e\0531\0532\0533\0534\0535\0536\0537\0538' ||
      U&'\0539\053a\053b\053c\053d\053e\053f\0540\0541\0542\0543\0544\0545\0546\0547\0548\0549\054a\054b\054c\054d\054e\054f\0550' ||
      U&'\0551\0552\0553\0554\0555\0556\10a0\10a1\10a2\10a3\10a4\10a5\10a6\10a7\10a8\10a9\10aa\10ab\10ac\10ad\10ae\10af\10b0\10b1' ||
      U&'\10b2\10b3\10b4\10b5\10b6\10b7\10b8\10b9\10ba\10bb\10bc\10bd\10be\10bf\10c0\10c1\10c2\10c3\10c4\10c5\10c7\10cd\1c89\1c90' ||
      U&'\1c91\1c92\1c93\1c94\1c95\1c96\1c97\1c98\1c99\1c9a\1c9b\1c9c\1c9d\1c9e\1c9f\1ca0\1ca1\1ca2\1ca3\1ca4\1ca5\1ca6\1ca7\1ca8' ||
      U&'\1ca9\1caa\1cab\1cac\1cad\1cae\1caf\1cb0\1cb1\1cb2\1cb3\1cb4\1cb5\1cb6\1cb7\1cb8\1cb9\1cba\1cbd\1cbe\1cbf\1e9e\1efa\1efc' ||
      U&'\1efe',
      U&'\00e6\00f0\00f8\00fe\0111\0127\0142\014b\0153\0167\0253\0183\0185\0254\0188\0256\0257\018c\01dd\0259\025b\0192\0260\0263' ||
      U&'\0269\0268\0199\026f\0272\0275\01a3\01a5\0280\01a8\0283\01ad\0288\028a\028b\01b4\01b6\0292\01b9\01bd\01e5\0195\01bf\021d' ||
      U&'\019e\0223\0225\2c65\023c\019a\2c66\0242\0180\0289\028c\0247\0249\024b\024d\024f\0371\0373\0377\03f3\03b1\03b2\03b3\03b4' ||
      U&'\03b5\03b6\03b7\03b8\03b9\03ba\03bb\03bc\03bd\03be\03bf\03c0\03c1\03c3\03c4\03c5\03c6\03c7\03c8\03c9\03d7\03d9\03db\03dd' ||
      U&'\03df\03e1\03e3\03e5\03e7\03e9\03eb\03ed\03ef\03f8\03fb\037b\037c\037d\0452\0454\0455\0456\0458\0459\045a\045b\045f\0430' ||
      U&'\0431\0432\0433\0434\0435\0436\0437\0438\043a\043b\043c\043d\043e\043f\0440\0441\0442\0443\0444\0445\0446\0447\0448\0449' ||
      U&'\044a\044b\044c\044d\044e\044f\0461\0463\0465\0467\0469\046b\046d\046f\0471\0473\0475\0479\047b\047d\047f\0481\048b\048d' ||
      U&'\048f\0491\0493\0495\0497\0499\049b\049d\049f\04a1\04a3\04a5\04a7\04a9\04ab\04ad\04af\04b1\04b3\04b5\04b7\04b9\04bb\04bd' ||
      U&'\04bf\04cf\04c4\04c6\04c8\04ca\04cc\04ce\04d5\04d9\04e1\04e9\04f7\04fb\04fd\04ff\0501\0503\0505\0507\0509\050b\050d\050f' ||
      U&'\0511\0513\0515\0517\0519\051b\051d\051f\0521\0523\0525\0527\0529\052b\052d\052f\0561\0562\0563\0564\0565\0566\0567\0568' ||
      U&'\0569\056a\056b\056c\056d\056e\056f\0570\0571\0572\0573\0574\0575\0576\0577\0578\0579\057a\057b\057c\057d\057e\057f\0580' ||
      U&'\0581\0582\0583\0584\0585\0586\2d00\2d01\2d02\2d03\2d04\2d05\2d06\2d07\2d08\2d09\2d0a\2d0b\2d0c\2d0d\2d0e\2d0f\2d10\2d11' ||
      U&'\2d12\2d13\2d14\2d15\2d16\2d17\2d18\2d19\2d1a\2d1b\2d1c\2d1d\2d1e\2d1f\2d20\2d21\2d22\2d23\2d24\2d25\2d27\2d2d\1c8a\10d0' ||
      U&'\10d1\10d2\10d3\10d4\10d5\10d6\10d7\10d8\10d9\10da\10db\10dc\10dd\10de\10df\10e0\10e1\10e2\10e3\10e4\10e5\10e6\10e7\10e8' ||
      U&'\10e9\10ea\10eb\10ec\10ed\10ee\10ef\10f0\10f1\10f2\10f3\10f4\10f5\10f6\10f7\10f8\10f9\10fa\10fd\10fe\10ff\00df\1efb\1efd' ||
      U&'\1eff');
    plain := normalize(lower(plain collate "C"), nfc);
  end if;
  return plain;
end
$$;
comment on function app.folded is
  'A text in lower case: Latin, Greek, Cyrillic, Armenian and Georgian letters. Not by lower() alone, which knows what the locale knows.';

create function app.punycode(label text) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  points bigint[] := array(
    select ascii(one.letter) from unnest(string_to_array(label, null)) with ordinality as one (letter, place) order by one.place);
  written text := regexp_replace(label collate "C", '[^\x01-\x7f]', '', 'g');
  basic integer := length(written);
  handled integer := basic;
  reached bigint := 128;
  following bigint;
  delta bigint := 0;
  bias bigint := 72;
  point bigint;
  rest bigint;
  step bigint;
  threshold bigint;
begin
  if basic > 0 then
    written := written || '-';
  end if;
  while handled < cardinality(points) loop
    following := (select min(one.point) from unnest(points) as one (point) where one.point >= reached);
    delta := delta + (following - reached) * (handled + 1);
    reached := following;
    foreach point in array points loop
      if point < reached then
        delta := delta + 1;
      elsif point = reached then
        rest := delta;
        step := 36;
        loop
          threshold := greatest(1, least(26, step - bias));
          exit when rest < threshold;
          written := written || substr('abcdefghijklmnopqrstuvwxyz0123456789',
            (threshold + (rest - threshold) % (36 - threshold))::integer + 1, 1);
          rest := (rest - threshold) / (36 - threshold);
          step := step + 36;
        end loop;
        written := written || substr('abcdefghijklmnopqrstuvwxyz0123456789', rest::integer + 1, 1);
        delta := delta / case when handled = basic then 700 else 2 end;
        handled := handled + 1;
        delta := delta + delta / handled;
        bias := 0;
        while delta > 455 loop
          delta := delta / 35;
          bias := bias + 36;
        end loop;
        bias := bias + 36 * delta / (delta + 38);
        delta := 0;
      end if;
    end loop;
    delta := delta + 1;
    reached := reached + 1;
  end loop;
  return written;
end
$$;
comment on function app.punycode is 'A label of a domain in ASCII, without the "xn--" before it (RFC 3492).';

create function app.ascii_host(host text) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  folded text;
begin
  if octet_length(host) = length(host) then
    return host;
  end if;
  folded := app.folded(translate(host, U&'\3002\ff0e\ff61\00ad\200b\200c\200d\2060\feff', '...'));
  return (
    select string_agg(case when octet_length(one.label) = length(one.label) or length(one.label) > 63 then one.label
      else 'xn--' || app.punycode(one.label) end, '.' order by one.place)
    from unnest(string_to_array(folded, '.')) with ordinality as one (label, place)
  );
end
$$;
comment on function app.ascii_host is 'A host as the domain name system has it: international labels in ASCII.';

create or replace function app.phone_key(phone text) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  plain text := translate(phone, ' -', '');
  called text;
  digits text;
begin
  -- The same as below says, in a quarter of the time.
  if plain ~ '^\+[1-9][0-9]{7,17}$' then
    return plain;
  end if;
  -- Marks of direction and the like may stand before a number, and "tel:".
  called := translate(
    regexp_replace(
      regexp_replace(lower(normalize(phone, nfkc) collate "C"), '^[^+0-9a-z]*(tel:)?[^+0-9a-z]*', ''),
      '([,;]?\s*(?<![a-z])(extension|ext\.?|x|#|;ext=)[\s.:=]*\d{1,7}|[,;]+\s*\d{1,7})\s*$', ''),
    'abcdefghijklmnopqrstuvwxyz', '22233344455566677778889999');
  digits := regexp_replace(called, '[^0-9]', '', 'g');
  return case
    when called ~ '^(\+|00|011)' and length(digits) between 8 and 18 then '+' || regexp_replace(digits, '^(011|00)', '')
    when length(digits) = 10 then '+1' || digits
    when length(digits) = 11 and digits like '1%' then '+' || digits
  end;
end
$$;

-- Proton ignores dots, hyphens and underscores (https://proton.me/support/change-username).
create or replace function app.email_key(email text) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  is_plain constant boolean := octet_length(email) = length(email);
  plain text := regexp_replace(
    btrim(lower(regexp_replace(email, '^.*<([^<>]*)>\s*$', '\1') collate "C"), E' \t\r\n'), '^mailto:|\?.*$', '', 'g');
  name text;
  host text;
begin
  if not is_plain then
    plain := btrim(app.folded(translate(plain, U&'\00a0\200b\2060\feff', '    ')));
  end if;
  name := split_part(plain, '@', 1);
  host := rtrim(case when is_plain then split_part(plain, '@', 2) else app.ascii_host(split_part(plain, '@', 2)) end, '.');
  if plain ~ '[\s;,"<>()]|@.*@' then
    return null;
  end if;
  host := case when host = 'googlemail.com' then 'gmail.com' else host end;
  name := case
    when host = 'gmail.com' then replace(split_part(name, '+', 1), '.', '')
    when host in ('proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me') then translate(split_part(name, '+', 1), '.-_', '')
    when host in ('icloud.com', 'me.com', 'mac.com', 'msn.com', 'fastmail.com')
      or host ~ '^(outlook|hotmail|live)\.(com|[a-z]{2}|com?\.[a-z]{2})$' then split_part(name, '+', 1)
    else name end;
  return case when name <> '' and host like '%_._%' then name || '@' || host end;
end
$$;
comment on function app.email_key is
  'An address in lower case, without what its provider ignores: tags, the dots of Gmail, and dots, hyphens and underscores of Proton. Null for what is no address.';

create or replace function app.host_key(address text) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  is_plain constant boolean := octet_length(address) = length(address);
  host text := substring(
    case when is_plain then lower(btrim(address) collate "C")
      else app.folded(btrim(translate(address, U&'\3002\ff0e\ff61\00a0', '... '))) end
    from '^(?:[a-z][a-z0-9+.-]*://)?(?:[^/?#@]*@)?([^/?#:@\s]+\.[^/?#:@\s.]+)\.?(?:[:/?#]|$)');
begin
  return nullif(regexp_replace(case when is_plain then host else app.ascii_host(host) end, '^www\d?\.', ''), '');
end
$$;
comment on function app.host_key is 'The host of a website or domain in lower case and in ASCII, without "www.".';

create or replace function app.company_key(name text) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  plain text := lower(name collate "C");
begin
  if octet_length(plain) <> length(plain) then
    plain := regexp_replace(normalize(app.folded(plain), nfkd), U&'[\2019\0300-\036f\00ad\200b-\200f\2060\feff]', '', 'g');
    plain := replace(translate(plain, U&'\03c2', U&'\03c3'), U&'\00df', 'ss');
    -- Signs and punctuation. Letters of all scripts stay, without asking the locale for them.
    plain := regexp_replace(plain, U&'[\0080-\00a9\00ab-\00b4\00b6-\00b9\00bb-\00bf\00d7\00f7\055a-\055f\0589\058a\05be\05c0\05c3\05f3' ||
      U&'\05f4\060c\061b\061f\066a-\066d\06d4\0964\0965\2000-\206f\20a0-\20cf\2190-\2bff\2e00-\2e7f\3000-\3004\3008-\3020\3030' ||
      U&'\303d\30a0\30fb\fe00-\fe0f\fe30-\fe4f\+01f000-\+01faff\+0e0000-\+0e01ef]+', ' ', 'g');
  end if;
  -- Each space twice, so that words beside each other both have their own.
  plain := left(btrim(regexp_replace(translate(plain, '''.', ''), '[\x01-\x2f\x3a-\x60\x7b-\x7f]+', '  ', 'g')), 400);
  plain := regexp_replace(' ' || plain || ' ',
    ' (?:incorporated|inc|llc|llp|lp|ltd|limited|co|company|corp|corporation|pllc|pc|plc|and) ', ' ', 'g');
  return nullif(rtrim(left(btrim(regexp_replace(plain, ' +', ' ', 'g')), 300)), '');
end
$$;
comment on function app.company_key is
  'A name in lower case, without accents, punctuation, "and", and legal form. Null where nothing else is left.';

create function app.former_email_key(email text) returns text
language sql immutable parallel safe set search_path = '' as $$
  select case when host in ('proton.me', 'protonmail.com', 'pm.me') then 'email:' || split_part(name, '+', 1) || '@' || host
    when octet_length(email) <> length(email) then 'email:' || name || '@' || host end
  from (select lower(btrim(email) collate "C") as plain) as one,
    lateral (select split_part(plain, '@', 1) as name, split_part(plain, '@', 2) as host) as parts
$$;
comment on function app.former_email_key is
  'Under which key an address at Proton or at an international domain was erased before 2026-11-26; null for every other.';

create or replace function app.keep_erased() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from app.erased_contacts) then
    return new;
  end if;
  if tg_op = 'INSERT' then
    if app.is_erased(array_remove(array[
      app.suppression_key('phone', new.phone), app.suppression_key('email', new.email), app.suppression_key('business', new.place_id),
      app.former_email_key(new.email)
    ], null)) then
      return null;
    end if;
    return new;
  end if;
  -- What an enrichment brings to a lead: the lead stays, and the erased person is left out.
  if new.email is distinct from old.email
    and app.is_erased(array_remove(array[app.suppression_key('email', new.email), app.former_email_key(new.email)], null)) then
    new.email := null;
    new.email_confidence := null;
    new.email_verified := null;
    new.owner_name := null;
    new.owner_title := null;
  end if;
  if new.phone is distinct from old.phone and app.is_erased(array_remove(array[app.suppression_key('phone', new.phone)], null)) then
    new.phone := null;
    new.phone_type := null;
  end if;
  return new;
end
$$;

revoke all on function app.folded, app.punycode, app.ascii_host, app.former_email_key from public;
grant execute on function app.folded, app.punycode, app.ascii_host, app.former_email_key to fairlead_worker, service_role;

-- What is stored takes its new key along. Only leads whose keys change are written, and so locked.

create temporary table changed_keys on commit drop as
select lead.id, lead.contact_keys as before, made.keys as after
from public.leads as lead, app.contact_keys(lead.phone, lead.email, lead.website, lead.place_id, lead.business_name) as made (keys)
where lead.contact_keys is distinct from made.keys;

-- A name of which little was left held back everyone else with that little left. Whom it held stays held: an administrator may let go.
insert into app.suppressions (kind, key, note, source, added_by, added_at)
select distinct on (made.key) entry.kind, made.key, entry.note, entry.source, entry.added_by, entry.added_at
from changed_keys as lead, unnest(lead.before) as was (key) join app.suppressions as entry using (key), unnest(lead.after) as made (key)
where entry.kind = 'company' and starts_with(made.key, 'company:')
order by made.key, entry.added_at
on conflict (key) do nothing;
insert into app.suppressions (kind, key, note, source, added_by, added_at)
select kind, made.key, note, source, added_by, added_at
from app.suppressions as entry, app.suppression_key(entry.kind, substr(entry.key, length(entry.kind) + 2)) as made (key)
where entry.kind in ('email', 'domain', 'company') and made.key is distinct from entry.key and made.key is not null
on conflict (key) do nothing;
-- A line of a file whose columns were not told apart: everyone in it.
insert into app.suppressions (kind, key, note, source, added_by, added_at)
select distinct on (found.key) split_part(found.key, ':', 1), found.key, entry.note, entry.source, entry.added_by, entry.added_at
from app.suppressions as entry, app.contacts_in(array[substr(entry.key, 7)]) as found
where entry.kind = 'email' and app.email_key(substr(entry.key, 7)) is null and found.key is not null
order by found.key, entry.added_at
on conflict (key) do nothing;
delete from app.suppressions as entry
where entry.kind in ('email', 'domain') and app.suppression_key(entry.kind, substr(entry.key, length(entry.kind) + 2)) is distinct from entry.key;
insert into app.stop_requests (key, asked_at)
select made.key, min(request.asked_at) from app.stop_requests as request, app.suppression_key('email', substr(request.key, 7)) as made (key)
where starts_with(request.key, 'email:') and made.key is distinct from request.key and made.key is not null
group by made.key
on conflict (key) do nothing;
delete from app.stop_requests as request
where starts_with(request.key, 'email:') and app.suppression_key('email', substr(request.key, 7)) is distinct from request.key;

-- Past exports that held such a lead are found by its new key too.
with pairs as materialized (
  select distinct was.key as before, made.key as after
  from changed_keys as lead, unnest(lead.before) as was (key), unnest(lead.after) as made (key)
  where split_part(was.key, ':', 1) = split_part(made.key, ':', 1) and split_part(made.key, ':', 1) in ('email', 'domain', 'company')
    and made.key <> all (lead.before)
), holding as (
  select part.export_id, part.part, array_agg(distinct (app.short_hashes(array[pairs.after]))[1]) as hashes
  from pairs join app.export_contacts as part on part.hashes @> app.short_hashes(array[pairs.before])
  group by part.export_id, part.part
)
update app.export_contacts as part set hashes = part.hashes || holding.hashes
from holding where part.export_id = holding.export_id and part.part = holding.part;

update public.leads as lead set phone = lead.phone from changed_keys where changed_keys.id = lead.id;
