-- What the browser may reach. Everything not granted here is the server's to write.

create schema if not exists app;
revoke all on schema app from public;
grant usage on schema app to service_role;

create table app.profiles (
  user_id uuid primary key references auth.users on delete cascade,
  email text not null,
  role text not null default 'user' check (role in ('user', 'admin')),
  status text not null default 'active' check (status in ('active', 'disabled')),
  last_sign_in_at timestamptz,
  crm_access text check (crm_access in ('granted', 'NO_CONTACT', 'MISSING_TAG', 'KEAP_ERROR')),
  crm_checked_at timestamptz,
  crm_granted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index profiles_email_key on app.profiles (lower(email));

-- Policies call it by its oid: roles without usage on schema app can not call it themselves.
create function app.is_active() returns boolean language sql stable security definer set search_path = ''
as $$ select exists (select from app.profiles where user_id = auth.uid() and status = 'active') $$;
revoke execute on function app.is_active() from public;
grant execute on function app.is_active() to authenticated;

create table public.lists (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  name text not null constraint lists_name_length check (char_length(btrim(name)) > 0 and char_length(name) <= 250),
  search_params jsonb not null default '{}'
    constraint lists_search_params_size check (jsonb_typeof(search_params) = 'object' and octet_length(search_params::text) <= 4000),
  status text not null default 'processing' check (status in ('processing', 'completed', 'failed')),
  lead_count integer not null default 0 check (lead_count >= 0),
  completeness integer check (completeness between 0 and 100),
  tier1_complete boolean not null default false,
  tier2_complete boolean not null default false,
  tier3_complete boolean not null default false,
  tier4_complete boolean not null default false,
  compliance_checked boolean not null default false,
  compliance_cost_micros bigint not null default 0 check (compliance_cost_micros >= 0),
  has_emails boolean not null default false,
  has_contacts boolean not null default false,
  resolved_place text,
  sandbox boolean,
  lifecycle_status text not null default 'active' check (lifecycle_status in ('active', 'archived')),
  archived_at timestamptz,
  retention_from timestamptz not null default now(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index lists_user_id_created_at_idx on public.lists (user_id, created_at desc);
create index lists_processing_idx on public.lists (created_at) where status = 'processing';
create index lists_retention_idx on public.lists (lifecycle_status, retention_from);
comment on column public.lists.sandbox is 'Whether its data is invented; null until the first run decides.';

create function app.keep_list_clock() returns trigger language plpgsql set search_path = '' as $$
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
  return new;
end
$$;
create trigger keep_list_clock before update on public.lists
  for each row execute function app.keep_list_clock();

create table public.leads (
  id uuid primary key default gen_random_uuid(),
  list_id uuid not null references public.lists on delete cascade,
  position integer not null,
  business_name text not null,
  address text,
  phone text,
  website text,
  email text,
  email_confidence integer check (email_confidence between 0 and 100),
  owner_name text,
  owner_title text,
  email_verified boolean,
  phone_type text,
  compliance_status text not null default 'not_checked'
    check (compliance_status in ('not_checked', 'safe', 'dnc', 'litigator')),
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
  unique (list_id, position)
);
create unique index leads_list_id_place_id_key on public.leads (list_id, place_id);

revoke all on public.lists, public.leads from anon, authenticated;
grant select, delete on public.lists to authenticated;
grant insert (user_id, name, search_params, status) on public.lists to authenticated;
grant update (name, updated_at, lifecycle_status, archived_at) on public.lists to authenticated;
grant select on public.leads to authenticated;
grant all on public.lists, public.leads to service_role;

alter table public.lists enable row level security;
alter table public.lists force row level security;
alter table public.leads enable row level security;
alter table public.leads force row level security;

create policy server on public.lists to service_role using (true) with check (true);
create policy server on public.leads to service_role using (true) with check (true);

create policy owner_reads on public.lists for select to authenticated
  using (user_id = (select auth.uid()) and (select app.is_active()));
create policy owner_creates on public.lists for insert to authenticated
  with check (user_id = (select auth.uid()) and status = 'processing' and (select app.is_active()));
create policy owner_changes on public.lists for update to authenticated
  using (user_id = (select auth.uid()) and (select app.is_active()))
  with check (user_id = (select auth.uid()));
create policy owner_deletes on public.lists for delete to authenticated
  using (user_id = (select auth.uid()) and (select app.is_active()));
-- The subquery is itself under the policy of lists, and is evaluated once for a statement.
create policy owner_reads on public.leads for select to authenticated
  using (list_id in (select id from public.lists));
