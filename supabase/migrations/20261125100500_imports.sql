-- Files that people bring themselves: how they are read, what became of their rows, and what taking one back restores.

create table app.imports (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  name text not null check (char_length(name) between 1 and 250),
  state text not null default 'reading'
    check (state in ('reading', 'ready', 'waiting', 'running', 'completed', 'canceled', 'failed', 'undone')),
  sha256 text check (char_length(sha256) = 64),
  encoding text not null default '',
  delimiter text,
  has_header boolean not null default true,
  columns jsonb not null default '[]' check (jsonb_typeof(columns) = 'array' and octet_length(columns::text) <= 1000000),
  mapping jsonb not null default '{}' check (jsonb_typeof(mapping) = 'object' and octet_length(mapping::text) <= 200000),
  keyed_by jsonb,
  remembered boolean not null default false,
  rows integer not null default 0 check (rows >= 0),
  errors integer not null default 0,
  in_file integer not null default 0,
  in_lists integer not null default 0,
  duplicates_found integer not null default 0,
  suppressed integer not null default 0,
  duplicates text check (duplicates in ('skip', 'update', 'add')),
  list_id uuid references public.lists on delete set null,
  list_name text check (char_length(list_name) <= 250),
  planned boolean not null default false,
  last_row integer not null default 0,
  done integer not null default 0,
  added integer not null default 0,
  updated integer not null default 0,
  skipped integer not null default 0,
  lease_owner uuid,
  lease_expires_at timestamptz,
  cancel_requested_at timestamptz,
  created_at timestamptz not null default now(),
  touched_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz
);
comment on table app.imports is
  'A file that someone brought. reading → ready → waiting → running → completed, canceled or failed; all but the first three → undone.';
comment on column app.imports.columns is 'Its columns in their order: header, what each seems to hold, and its first values.';
comment on column app.imports.mapping is 'What each column is read as, by its header.';
comment on column app.imports.keyed_by is 'The mapping that the keys and problems of its rows were written with.';
comment on column app.imports.planned is 'Whether its rows know which row or lead they are the same as.';
comment on column app.imports.last_row is 'The last row that is done, as the file counts. Everything up to it is committed, nothing behind it.';
comment on column app.imports.touched_at is 'When its upload last came further.';
create index imports_user_id_created_at_idx on app.imports (user_id, created_at desc);
create index imports_open_idx on app.imports (state, lease_expires_at) where state in ('waiting', 'running');
create index imports_list_id_idx on app.imports (list_id);

create table app.import_rows (
  import_id uuid not null references app.imports on delete cascade,
  row integer not null,
  cells jsonb not null,
  keys text[] not null,
  problems jsonb,
  same_row integer,
  same_lead uuid,
  primary key (import_id, row)
);
comment on table app.import_rows is
  'Rows of a file until they are leads. Those with problems stay 30 days longer, so that they can be downloaded.';
comment on column app.import_rows.row is 'As a spreadsheet counts.';
comment on column app.import_rows.keys is 'What app.import_keys makes of the row as it is read.';
comment on column app.import_rows.same_row is 'An earlier row of the same business.';
comment on column app.import_rows.same_lead is 'A lead of one of their lists that is the same business.';

create table app.import_updates (
  import_id uuid not null references app.imports on delete cascade,
  row integer not null,
  lead_id uuid not null references public.leads on delete cascade,
  before jsonb not null,
  after jsonb not null,
  primary key (import_id, row)
);
comment on table app.import_updates is 'Empty fields of leads that an import filled: what stood there before, and what it wrote.';
create index import_updates_lead_id_idx on app.import_updates (lead_id);

alter table app.imports enable row level security;
alter table app.imports force row level security;
create policy server on app.imports to fairlead_worker, service_role using (true) with check (true);
alter table app.import_rows enable row level security;
alter table app.import_rows force row level security;
create policy server on app.import_rows to fairlead_worker, service_role using (true) with check (true);
alter table app.import_updates enable row level security;
alter table app.import_updates force row level security;
create policy server on app.import_updates to fairlead_worker, service_role using (true) with check (true);
grant select, insert, update, delete on app.imports, app.import_rows, app.import_updates to service_role;
grant select, update, delete on app.imports, app.import_rows to fairlead_worker;
grant select, insert on app.import_updates to fairlead_worker;

alter table public.leads
  add column extra jsonb not null default '{}'
    constraint leads_extra_check check (jsonb_typeof(extra) = 'object' and octet_length(extra::text) <= 40000),
  add column originals jsonb not null default '{}'
    constraint leads_originals_check check (jsonb_typeof(originals) = 'object' and octet_length(originals::text) <= 20000),
  add column import_id uuid constraint leads_import_id_fkey references app.imports on delete set null,
  add column import_row integer;
comment on column public.leads.extra is 'Columns of its file that are none of ours, by their headers.';
comment on column public.leads.originals is 'By column, what the file says where it was read differently.';
comment on column public.leads.import_id is 'The file that brought the lead, and in which row.';
create index leads_import_id_import_row_idx on public.leads (import_id, import_row) where import_id is not null;

alter table public.lists add column keep boolean not null default false;
comment on column public.lists.keep is 'Kept for good: sweeps neither archive nor delete it. Only for lists of their own files.';

create function app.same_key(name text, zip text) returns text language sql immutable parallel safe set search_path = '' as $$
  select 'same:' || app.company_key(name) || '@' || nullif(zip, '')
$$;
create function app.import_keys(phone text, email text, website text, name text, zip text) returns text[]
language sql immutable parallel safe set search_path = '' as $$
  select app.contact_keys(phone, email, website, null, name) || array_remove(array[app.same_key(name, zip)], null)
$$;
comment on function app.import_keys is
  'The keys under which a row may be suppressed, and one for its name and ZIP code. Phone, email, and that one make two rows the same.';
comment on function app.same_key is 'A business by its name and ZIP code; null without either.';
revoke all on function app.import_keys, app.same_key from public;
grant execute on function app.import_keys, app.same_key to fairlead_worker, service_role;
