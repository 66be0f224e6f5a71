-- Lists and their leads, which browsers read and write under row-level security, and when lists are deleted.
-- Written by `npm run db:types` from the migrations. Do not edit.

create table public.lists (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  name text not null,
  search_params jsonb not null default '{}',
  status text not null default 'processing',
  lead_count integer not null default 0,
  completeness integer,
  tier1_complete boolean not null default false,
  tier2_complete boolean not null default false,
  tier3_complete boolean not null default false,
  tier4_complete boolean not null default false,
  compliance_checked boolean not null default false,
  compliance_expires_at timestamptz, -- When the first verdict of the list runs out. From then on it counts as not checked, without waiting for a sweep.
  compliance_cost_micros bigint not null default 0,
  has_emails boolean not null default false,
  has_contacts boolean not null default false,
  resolved_place text,
  sandbox boolean, -- Whether its data is invented. Null until the first run decides; nothing changes it afterwards.
  lifecycle_status text not null default 'active',
  archived_at timestamptz,
  retention_from timestamptz not null default now(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  came_from jsonb not null default '[]', -- The lists that its leads were copied from, newest last: name, how and when.
  keep boolean not null default false, -- Kept for good: sweeps neither archive nor delete it. Only for lists of their own files.
  constraint lists_pkey primary key (id),
  constraint lists_id_sandbox_key unique (id, sandbox),
  constraint lists_user_id_fkey foreign key (user_id) references auth.users(id) on delete cascade,
  constraint lists_came_from_size check (jsonb_typeof(came_from) = 'array' and octet_length(came_from::text) <= 20000),
  constraint lists_completeness_check check (completeness >= 0 and completeness <= 100),
  constraint lists_compliance_cost_micros_check check (compliance_cost_micros >= 0),
  constraint lists_lead_count_check check (lead_count >= 0),
  constraint lists_lifecycle_status_check check (lifecycle_status in ('active', 'archived')),
  constraint lists_name_length check (char_length(btrim(name)) > 0 and char_length(name) <= 250),
  constraint lists_search_params_size check (jsonb_typeof(search_params) = 'object' and octet_length(search_params::text) <= 4000),
  constraint lists_status_check check (status in ('processing', 'completed', 'failed'))
);
create index lists_archived_at_idx on public.lists (archived_at) where (lifecycle_status = 'archived');
create index lists_processing_idx on public.lists (created_at) where (status = 'processing');
create index lists_retention_idx on public.lists (lifecycle_status, retention_from);
create index lists_user_id_created_at_idx on public.lists (user_id, created_at desc);
alter table public.lists enable row level security;
alter table public.lists force row level security;
create policy owner_changes on public.lists for update to authenticated
  using (user_id = (select auth.uid()) and (select app.is_active()))
  with check (user_id = (select auth.uid()));
create policy owner_creates on public.lists for insert to authenticated
  with check (user_id = (select auth.uid()) and status = 'processing' and (select app.is_active()));
create policy owner_deletes on public.lists for delete to authenticated
  using (user_id = (select auth.uid()) and (select app.is_active()));
create policy owner_reads on public.lists for select to authenticated
  using (user_id = (select auth.uid()) and (select app.is_active()));
create policy server on public.lists to fairlead_worker, service_role
  using (true)
  with check (true);
grant select, insert (user_id, name, search_params, status), update (name, lifecycle_status, archived_at, updated_at), delete on public.lists to authenticated;
grant select, update, delete on public.lists to fairlead_worker;
grant select, insert, update, delete on public.lists to service_role;
create trigger cancel_runs_of_list before delete or update on public.lists for each row execute function app.cancel_runs_of_list();
create trigger forget_erased_names before insert or update of name, search_params, came_from on public.lists for each row execute function app.forget_erased_names('name', 'search_params', 'came_from');
create trigger keep_kind before update of sandbox on public.lists for each row when (old.sandbox is not null and new.sandbox is distinct from old.sandbox) execute function app.keep_kind();
create trigger keep_list_clock before update on public.lists for each row execute function app.keep_list_clock();
create trigger limit_lists after insert on public.lists referencing new table as made_lists for each statement when (app.is_bound_by_limits()) execute function app.limit_lists();
create trigger tell_delete after delete on public.lists referencing old table as changed for each statement execute function realtime.tell_change('r.user_id');
create trigger tell_insert after insert on public.lists referencing new table as changed for each statement execute function realtime.tell_change('r.user_id');
create trigger tell_list_change after insert or delete or update on public.lists for each row execute function app.tell_list_change();
create trigger tell_update after update on public.lists referencing new table as changed for each statement execute function realtime.tell_change('r.user_id');

create table public.leads (
  id uuid not null default gen_random_uuid(),
  list_id uuid not null,
  "position" integer not null,
  business_name text not null,
  address text,
  phone text,
  website text,
  email text,
  email_confidence integer,
  owner_name text,
  owner_title text,
  email_verified boolean,
  phone_type text,
  compliance_status text not null default 'not_checked',
  compliance_reason text,
  compliance_checked_at timestamptz,
  place_id text,
  latitude double precision,
  longitude double precision,
  service_area boolean not null default false,
  place_call_id uuid,
  email_call_id uuid,
  owner_call_id uuid,
  compliance_call_id uuid,
  created_at timestamptz not null default now(),
  contact_keys text[] generated always as (app.contact_keys(phone, email, website, place_id, business_name)) stored, -- The keys under which the lead may stand in app.suppressions.
  sources jsonb not null default '{}', -- By column, where its value came from: file, website or open:<id of a release>. A column that is missing here came with the paid call beside it.
  extra jsonb not null default '{}', -- Columns of its file that are none of ours, by their headers.
  originals jsonb not null default '{}', -- By column, what the file says where it was read differently.
  import_id uuid, -- The file that brought the lead, and in which row.
  import_row integer,
  site_visit jsonb, -- What the business's own website told: status, time, and by page what was found there. Null where it was not visited.
  open_id text, -- Source and id of the place of open data that the lead came from, as overture:<id>.
  email_status text, -- What Hunter said of the email. Null where no one has checked it, or no one knows when.
  email_checked_at timestamptz, -- When it was checked, by what Hunter says.
  email_check_call_id uuid,
  constraint leads_pkey primary key (id),
  constraint leads_list_id_position_key unique (list_id, "position"),
  constraint leads_compliance_call_id_fkey foreign key (compliance_call_id) references app.paid_calls(id) on delete set null,
  constraint leads_email_call_id_fkey foreign key (email_call_id) references app.paid_calls(id) on delete set null,
  constraint leads_email_check_call_id_fkey foreign key (email_check_call_id) references app.paid_calls(id) on delete set null,
  constraint leads_import_id_fkey foreign key (import_id) references app.imports(id) on delete set null,
  constraint leads_list_id_fkey foreign key (list_id) references public.lists(id) on delete cascade,
  constraint leads_owner_call_id_fkey foreign key (owner_call_id) references app.paid_calls(id) on delete set null,
  constraint leads_place_call_id_fkey foreign key (place_call_id) references app.paid_calls(id) on delete set null,
  constraint leads_compliance_status_check check (compliance_status in ('not_checked', 'safe', 'dnc', 'litigator')),
  constraint leads_email_confidence_check check (email_confidence >= 0 and email_confidence <= 100),
  constraint leads_email_status_check check (email_status in ('valid', 'invalid', 'accept_all', 'webmail', 'disposable', 'unknown')),
  constraint leads_extra_check check (jsonb_typeof(extra) = 'object' and octet_length(extra::text) <= 40000),
  constraint leads_open_id_check check (char_length(open_id) <= 300),
  constraint leads_originals_check check (jsonb_typeof(originals) = 'object' and octet_length(originals::text) <= 20000),
  constraint leads_site_visit_check check (jsonb_typeof(site_visit) = 'object' and octet_length(site_visit::text) <= 20000),
  constraint leads_sources_check check (jsonb_typeof(sources) = 'object' and octet_length(sources::text) <= 40000)
);
create index leads_compliance_call_id_idx on public.leads (compliance_call_id) where (compliance_call_id is not null);
create index leads_contact_keys_idx on public.leads using gin (contact_keys) with (gin_pending_list_limit='256');
create index leads_coordinates_idx on public.leads (place_call_id) where (latitude is not null);
create index leads_email_call_id_idx on public.leads (email_call_id) where (email_call_id is not null);
create index leads_email_check_call_id_idx on public.leads (email_check_call_id) where (email_check_call_id is not null);
create index leads_import_id_import_row_idx on public.leads (import_id, import_row) where (import_id is not null);
create unique index leads_list_id_open_id_key on public.leads (list_id, open_id) where (open_id is not null);
create unique index leads_list_id_place_id_key on public.leads (list_id, place_id);
create index leads_no_calls_idx on public.leads ((contact_keys[1])) where app.tells_no_calls(extra);
create index leads_owner_call_id_idx on public.leads (owner_call_id) where (owner_call_id is not null);
create index leads_place_call_id_idx on public.leads (place_call_id) where (place_call_id is not null);
alter table public.leads enable row level security;
alter table public.leads force row level security;
create policy owner_reads on public.leads for select to authenticated
  using ((list_id in (select lists.id from public.lists)));
create policy server on public.leads to fairlead_worker, service_role
  using (true)
  with check (true);
grant select on public.leads to authenticated;
grant select, insert, update on public.leads to fairlead_worker;
grant select, insert, update, delete on public.leads to service_role;
create trigger keep_erased before insert or update of phone, email, place_id on public.leads for each row execute function app.keep_erased();
create trigger keep_leads_to_kind after insert or update of list_id, place_call_id, email_call_id, owner_call_id, compliance_call_id, email_check_call_id on public.leads for each row when (coalesce(new.place_call_id, new.email_call_id, new.owner_call_id, new.compliance_call_id, new.email_check_call_id) is not null) execute function app.keep_leads_to_kind();
create trigger reset_email_check before update of email on public.leads for each row when (lower(btrim(new.email)) is distinct from lower(btrim(old.email)) and (new.email is null or not new.email_call_id is distinct from old.email_call_id)) execute function app.reset_email_check();
create trigger reset_phone_check before update of phone on public.leads for each row when (new.phone is distinct from old.phone and (app.phone_key(new.phone) = app.phone_key(old.phone)) is not true and (new.phone is null or not (new.compliance_status is distinct from old.compliance_status or new.compliance_reason is distinct from old.compliance_reason or new.compliance_checked_at is distinct from old.compliance_checked_at or new.compliance_call_id is distinct from old.compliance_call_id or new.phone_type is distinct from old.phone_type))) execute function app.reset_phone_check();
create trigger tell_delete after delete on public.leads referencing old table as changed for each statement execute function realtime.tell_change('(select l.user_id from public.lists as l where l.id = r.list_id)');
create trigger tell_insert after insert on public.leads referencing new table as changed for each statement execute function realtime.tell_change('(select l.user_id from public.lists as l where l.id = r.list_id)');
create trigger tell_update after update on public.leads referencing new table as changed for each statement execute function realtime.tell_change('(select l.user_id from public.lists as l where l.id = r.list_id)');

-- A list is announced once for each time it is archived.
create table app.deletion_warnings (
  list_id uuid not null,
  archived_at timestamptz not null,
  warned_at timestamptz not null default now(),
  deletes_at timestamptz not null, -- The earliest moment that the mail named.
  constraint deletion_warnings_pkey primary key (list_id),
  constraint deletion_warnings_list_id_fkey foreign key (list_id) references public.lists(id) on delete cascade
);
alter table app.deletion_warnings enable row level security;
alter table app.deletion_warnings force row level security;
create policy server on app.deletion_warnings to fairlead_worker, service_role
  using (true)
  with check (true);
grant select, insert, update on app.deletion_warnings to fairlead_worker;
grant select, insert, update, delete on app.deletion_warnings to service_role;

create table app.daily_sweep (
  singleton boolean not null default true,
  swept_at timestamptz not null,
  constraint daily_sweep_pkey primary key (singleton),
  constraint daily_sweep_singleton_check check (singleton)
);
alter table app.daily_sweep enable row level security;
alter table app.daily_sweep force row level security;
create policy server on app.daily_sweep to fairlead_worker, service_role
  using (true)
  with check (true);
grant select, insert, update on app.daily_sweep to fairlead_worker;
grant select, insert, update, delete on app.daily_sweep to service_role;

-- May be called by: service_role.
create function app.keep_list_clock()
 returns trigger
 language plpgsql
 set search_path to ''
as $function$
begin
  new.updated_at := now();
  if new.lifecycle_status = old.lifecycle_status then
    new.archived_at := old.archived_at;
  elsif new.lifecycle_status = 'archived' then
    new.archived_at := now();
  else
    new.archived_at := null;
    new.retention_from := now();
  end if;
  if old.keep and not new.keep then
    new.retention_from := now();
    if new.lifecycle_status = 'archived' then
      new.archived_at := now();
    end if;
  end if;
  return new;
end $function$;

-- Roles without usage on schema app cannot call it themselves; triggers do.
-- May be called by: authenticated, fairlead_web, fairlead_worker, service_role.
create function app.is_bound_by_limits()
 returns boolean
 language sql
 stable
 set search_path to ''
as $function$
  select not pg_catalog.pg_has_role(current_user, relowner, 'usage')
  from pg_catalog.pg_class where oid = 'public.lists'::pg_catalog.regclass
$function$;

-- May be called by: its owner, and triggers.
create function app.limit_lists()
 returns trigger
 language plpgsql
 security definer
 set search_path to ''
as $function$
declare
  whose uuid;
  made bigint;
begin
  -- In one order, so that two statements never wait for each other.
  for whose, made in select user_id, count(*) from made_lists group by user_id order by user_id loop
    if made > 100 then
      raise exception 'At most 100 lists can be made at once.'
        using errcode = 'check_violation', constraint = 'lists_at_once', schema = 'public', table = 'lists', hint = 'Send several requests.';
    end if;
    -- Another statement that makes lists of theirs waits until this one is committed, and then counts these.
    perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('lists of ' || whose::text, 0));
    if (select count(*) > 1000 from public.lists where user_id = whose) then
      raise exception 'You have 1,000 lists, which is the most one account can have. Delete lists you no longer need, archived ones included.'
        using errcode = 'check_violation', constraint = 'lists_per_person', schema = 'public', table = 'lists', hint = 'Delete lists you no longer need.';
    end if;
  end loop;
  return null;
end
$function$;

-- A list holds invented data or real data. So do its runs and their calls.
-- May be called by: fairlead_worker, service_role.
create function app.keep_kind()
 returns trigger
 language plpgsql
 set search_path to ''
as $function$
begin
  raise exception '% % holds % data and keeps to it', tg_table_name, old.id, case when old.sandbox then 'sandbox' else 'real' end
    using errcode = 'check_violation', constraint = 'keep_kind';
end
$function$;

-- Those calls are of the list's kind. Neither ever changes, so one look when they are written is enough.
-- May be called by: fairlead_worker, service_role.
create function app.keep_leads_to_kind()
 returns trigger
 language plpgsql
 set search_path to ''
as $function$
begin
  if exists (
    select from app.paid_calls as call
    where call.id in
      (new.place_call_id, new.email_call_id, new.owner_call_id, new.compliance_call_id, new.email_check_call_id)
      and call.sandbox is distinct from (select list.sandbox from public.lists as list where list.id = new.list_id)
  ) then
    raise exception 'lead % would mix sandbox data and real data in list %', new.id, new.list_id
      using errcode = 'check_violation', constraint = 'keep_leads_to_kind';
  end if;
  return null;
end
$function$;

-- What was said of an email is not said of the one that takes its place.
-- May be called by: fairlead_worker, service_role.
create function app.reset_email_check()
 returns trigger
 language plpgsql
 set search_path to ''
as $function$
begin
  new.email_status := null;
  new.email_checked_at := null;
  new.email_check_call_id := null;
  new.email_verified := null;
  return new;
end
$function$;

-- What was said of a number is not said of the one that takes its place.
-- May be called by: fairlead_worker, service_role.
create function app.reset_phone_check()
 returns trigger
 language plpgsql
 set search_path to ''
as $function$
begin
  new.compliance_status := 'not_checked';
  new.compliance_reason := null;
  new.compliance_checked_at := null;
  new.compliance_call_id := null;
  new.phone_type := null;
  return new;
end
$function$;

-- Adds places at the end of a list and counts them; does nothing when the list is gone. Returns false, with the list locked, when
-- leads of it are from open data: places are `matched` with those before they are added.
-- May be called by: fairlead_worker, service_role.
create function app.add_leads(list_id uuid, places jsonb, matched boolean)
 returns boolean
 language plpgsql
 set search_path to ''
 set plan_cache_mode to 'force_generic_plan'
 set enable_seqscan to 'off'
 set jit to 'off'
as $function$
#variable_conflict use_column
declare
  last integer;
  added integer;
  owner uuid;
begin
  select list.user_id into owner from public.lists as list where list.id = add_leads.list_id for update;
  if not found then
    return true;
  end if;
  if not matched and exists (
    select from public.leads as lead where lead.list_id = add_leads.list_id and lead.open_id is not null
  ) then
    return false;
  end if;
  select coalesce(max(lead.position), -1) into last from public.leads as lead where lead.list_id = add_leads.list_id;
  insert into public.leads (list_id, position, business_name, phone, address, website, place_id, latitude, longitude,
    service_area, place_call_id, sources, created_at)
  select add_leads.list_id, last + at, name, phone, address, website, id, latitude, longitude, service_area, call_id,
    coalesce(sources, '{}'), coalesce(since, now())
  from rows from (jsonb_to_recordset(places) as (id text, name text, phone text, address text, website text,
      latitude double precision, longitude double precision, service_area boolean, call_id uuid, sources jsonb, since timestamptz))
    with ordinality as place (id, name, phone, address, website, latitude, longitude, service_area, call_id, sources, since, at)
  on conflict (list_id, place_id) do nothing;
  get diagnostics added = row_count;
  if added > 0 then
    perform app.note_told(owner, 'google', array(
      select unnest(app.told_keys(
        case when sources ? 'business_name' then null else name end,
        case when sources ? 'phone' then null else phone end,
        case when sources ? 'address' then null else address end,
        case when sources ? 'website' then null else website end))
      from jsonb_to_recordset(places) as place (name text, phone text, address text, website text, sources jsonb)));
  end if;
  -- Under the lock on the list, so that nothing is missed. Counting them again would take longer with each page.
  update public.lists as list set lead_count = list.lead_count + added, keep = list.keep and added = 0
  where list.id = add_leads.list_id;
  return true;
end
$function$;

-- Whether a column of a file says that its row must not be called. What is not clearly a no is a yes, and a clear no to calls is
-- one.
-- May be called by: fairlead_worker, service_role.
create function app.tells_no_calls(extra jsonb)
 returns boolean
 language plpgsql
 immutable PARALLEL SAFE
 set search_path to ''
as $function$
begin
  -- Asked at each change of a lead. Most have no columns of a file, and most cells have nothing like it: one look tells them, without a query.
  if extra = '{}' or extra::text !~* 'do[^a-z0-9]*n[^a-z0-9]?o?t[^a-z0-9]*(call|cont|phone|tele|dial|sol|dist|allow)|(no|never)[^a-z0-9]*call|dn[cd]|litigator|opt(ed)?[^a-z0-9]*out|suppress|black[^a-z0-9]*list|(to|for|be|can|may|allows?|accepts?)[^a-z0-9]*(call|phone|tele|contact)|calls?[^a-z0-9]*(ok|allow|permitted|permission|consent)|callable'
  then
    return false;
  end if;
  return exists (
    select from (
      select header, told from jsonb_each_text(extra) as every (header, told)
      where header || ' ' || told ~* 'do[^a-z0-9]*n[^a-z0-9]?o?t[^a-z0-9]*(call|cont|phone|tele|dial|sol|dist|allow)|(no|never)[^a-z0-9]*call|dn[cd]|litigator|opt(ed)?[^a-z0-9]*out|suppress|black[^a-z0-9]*list|(to|for|be|can|may|allows?|accepts?)[^a-z0-9]*(call|phone|tele|contact)|calls?[^a-z0-9]*(ok|allow|permitted|permission|consent)|callable'
      offset 0
    ) as cell, lateral (
      select btrim(regexp_replace(lower(
        regexp_replace(regexp_replace(header collate "C", '([a-z0-9])([A-Z])', '\1 \2', 'g'), '([A-Z])([A-Z][a-z])', '\1 \2', 'g')
      ), '[^a-z0-9]+', ' ', 'g')) as called, btrim(regexp_replace(lower(told collate "C"), '[^a-z0-9]+', ' ', 'g')) as said
      offset 0
    ) as words
    where called !~ '(^| )(checked|scrub|scrubbed|verified|source|version)( |$)' and case
      when called ~ '(^| )((do ?not|don ?t) ?(allow )?(call|phone|telephone|dial|solicit)s?|(no|never) call|dnc|litigators?)( |$)'
        or (called ~ '(^| )((do ?not|don ?t) ?contact|opt(ed)? ?out|suppress(ed|ion)?|black ?list(ed)?|(do ?not|don ?t) ?disturb|dnd)( |$)'
          and called !~ '(^| )(e ?mails?|mails?|mailings?|fax|texts?|sms|newsletters?)( |$)')
      then case when said = '' then told ~ '[✓✔☑✅]' else
        said !~ '^(no?|none|nil|null|na|n a|f|false|0( 0)?|off|unchecked|unknown|undefined|pending|blank|empty|never|ok|okay|ok to call|okay to call|clean|clear|safe|good|pass|passed|call|callable|can call|allow|allowed|permitted|active|subscribed|opted in|opt in|no dnc|non dnc|not (on|in|a|listed|found|checked|set|registered|applicable|available|specified|known|dnc|opted|suppressed)( .*)?)$'
      end
      when (called ~ '(^| )((ok|okay|allowed|permitted|permission|consent(s|ed)?|agree(s|d)?) (to|for) (be )?(call|phone|telephone)(s|ed|ing)?|(can|may) (be )?(call|phone)(ed)?|(allow|accept)s? (phone )?calls?|calls? (ok|okay|allowed|permitted|permission|consent)|callable)( |$)'
          or (called ~ '(^| )(ok|okay|allowed|permitted|permission|consent(s|ed)?|agree(s|d)?) (to|for) (be )?contact(ed)?( |$)'
            and called !~ '(^| )(e ?mails?|mails?|mailings?|fax|texts?|sms|newsletters?)( |$)'))
        and case when said = '' then told ~ '[✗✘✖❌]' else
          said ~ '^(no(?! (problem|restriction|limit|objection|answer|info|information|data|response|reply|record|entry|preference)s?( |$))( .*)?|n|never|f|false|0( 0)?|off|unchecked|denied|refused|revoked|withdrawn|declined|rejected|opt(ed)? out|not (ok|okay|allowed|permitted|given|granted|consented|agreed|callable)|(do ?not|don ?t|never|can ?not|can ?t|may not|must not) (call|contact|phone|allow)( .*)?)$'
        end
      then true
      else regexp_replace(lower(told collate "C"), '[^a-z0-9,;|]+', ' ', 'g') ~
        '(^|[,;|]) ?((do ?not|don ?t) ?(call|contact|phone|solicit|disturb)|dnd|(on )?(the )?(national |federal |state )?(dnc|do not call)( list| registry)?) ?($|[,;|])'
    end);
end
$function$;

-- May be called by: fairlead_worker, service_role.
create function app.analyze_leads()
 returns void
 language plpgsql
 security definer
 set search_path to ''
as $function$
begin
  analyze (skip_locked) public.leads;
end $function$;
