-- People's own files: their rows until they are leads, and what taking an import back restores.
-- Written by `npm run db:types` from the migrations. Do not edit.

-- A file that someone brought. reading → ready → waiting → running → completed, canceled or failed; all but the first three →
-- undone.
create table app.imports (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  name text not null,
  state text not null default 'reading',
  sha256 text,
  encoding text not null default '',
  delimiter text,
  has_header boolean not null default true,
  columns jsonb not null default '[]', -- Its columns in their order: header, what each seems to hold, and its first values.
  mapping jsonb not null default '{}', -- What each column is read as, by its header.
  keyed_by jsonb, -- The mapping that the keys and problems of its rows were written with.
  remembered boolean not null default false,
  rows integer not null default 0,
  errors integer not null default 0,
  in_file integer not null default 0,
  in_lists integer not null default 0,
  duplicates_found integer not null default 0,
  suppressed integer not null default 0,
  duplicates text,
  list_id uuid,
  list_name text,
  planned boolean not null default false, -- Whether its rows know which row or lead they are the same as.
  last_row integer not null default 0, -- The last row that is done, as the file counts. Everything up to it is committed, nothing behind it.
  done integer not null default 0,
  added integer not null default 0,
  updated integer not null default 0,
  skipped integer not null default 0,
  lease_owner uuid,
  lease_expires_at timestamptz,
  cancel_requested_at timestamptz,
  created_at timestamptz not null default now(),
  touched_at timestamptz not null default now(), -- When its upload last came further.
  started_at timestamptz,
  finished_at timestamptz,
  constraint imports_pkey primary key (id),
  constraint imports_list_id_fkey foreign key (list_id) references public.lists(id) on delete set null,
  constraint imports_user_id_fkey foreign key (user_id) references auth.users(id) on delete cascade,
  constraint imports_columns_check check (jsonb_typeof(columns) = 'array' and octet_length(columns::text) <= 1000000),
  constraint imports_duplicates_check check (duplicates in ('skip', 'update', 'add')),
  constraint imports_list_name_check check (char_length(list_name) <= 250),
  constraint imports_mapping_check check (jsonb_typeof(mapping) = 'object' and octet_length(mapping::text) <= 200000),
  constraint imports_name_check check (char_length(name) >= 1 and char_length(name) <= 250),
  constraint imports_rows_check check (rows >= 0),
  constraint imports_sha256_check check (char_length(sha256) = 64),
  constraint imports_state_check check (state in ('reading', 'ready', 'waiting', 'running', 'completed', 'canceled', 'failed', 'undone'))
);
create index imports_list_id_idx on app.imports (list_id);
create index imports_open_idx on app.imports (state, lease_expires_at) where (state in ('waiting', 'running'));
create index imports_user_id_created_at_idx on app.imports (user_id, created_at desc);
alter table app.imports enable row level security;
alter table app.imports force row level security;
create policy server on app.imports to fairlead_worker, service_role
  using (true)
  with check (true);
grant select, update, delete on app.imports to fairlead_worker;
grant select, insert, update, delete on app.imports to service_role;

-- Rows of a file until they are leads. Those with problems stay 30 days longer, so that they can be downloaded.
create table app.import_rows (
  import_id uuid not null,
  "row" integer not null, -- As a spreadsheet counts.
  cells jsonb not null,
  keys text[] not null, -- What app.import_keys makes of the row as it is read.
  problems jsonb,
  same_row integer, -- An earlier row of the same business.
  same_lead uuid, -- A lead of one of their lists that is the same business.
  constraint import_rows_pkey primary key (import_id, "row"),
  constraint import_rows_import_id_fkey foreign key (import_id) references app.imports(id) on delete cascade
);
alter table app.import_rows enable row level security;
alter table app.import_rows force row level security;
create policy server on app.import_rows to fairlead_worker, service_role
  using (true)
  with check (true);
grant select, update, delete on app.import_rows to fairlead_worker;
grant select, insert, update, delete on app.import_rows to service_role;
create trigger blank_erased_rows after insert on app.import_rows referencing new table as given for each statement execute function app.blank_erased_rows();

-- Empty fields of leads that an import filled: what stood there before, and what it wrote.
create table app.import_updates (
  import_id uuid not null,
  "row" integer not null,
  lead_id uuid not null,
  before jsonb not null,
  after jsonb not null,
  constraint import_updates_pkey primary key (import_id, "row"),
  constraint import_updates_import_id_fkey foreign key (import_id) references app.imports(id) on delete cascade,
  constraint import_updates_lead_id_fkey foreign key (lead_id) references public.leads(id) on delete cascade
);
create index import_updates_lead_id_idx on app.import_updates (lead_id);
alter table app.import_updates enable row level security;
alter table app.import_updates force row level security;
create policy server on app.import_updates to fairlead_worker, service_role
  using (true)
  with check (true);
grant select, insert on app.import_updates to fairlead_worker;
grant select, insert, update, delete on app.import_updates to service_role;

-- The keys under which a row may be suppressed, and one for its name and ZIP code. Phone, email, and that one make two rows the
-- same.
-- May be called by: fairlead_worker, service_role.
create function app.import_keys(phone text, email text, website text, name text, zip text)
 returns text[]
 language sql
 immutable PARALLEL SAFE
 set search_path to ''
as $function$
  select app.contact_keys(phone, email, website, null, name) || array_remove(array[app.same_key(name, zip)], null)
$function$;

-- A business by its name and ZIP code; null without either.
-- May be called by: fairlead_worker, service_role.
create function app.same_key(name text, zip text)
 returns text
 language sql
 immutable PARALLEL SAFE
 set search_path to ''
as $function$
  select 'same:' || app.company_key(name) || '@' || nullif(zip, '')
$function$;
