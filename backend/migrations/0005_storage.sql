-- Buckets and objects, with the names that hosted Supabase has for them: policies on storage.objects are written alike on all footings.
-- The bytes are files beside the database, found by `version`.

create schema storage;
revoke all on schema storage from public;
grant usage on schema storage to anon, authenticated, service_role;

create table storage.buckets (
  id text primary key,
  name text not null unique,
  owner uuid,
  owner_id text,
  public boolean not null default false,
  file_size_limit bigint check (file_size_limit >= 0),
  allowed_mime_types text[],
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on column storage.buckets.file_size_limit is 'Bytes; null: what the server takes at most.';

create table storage.objects (
  id uuid primary key default gen_random_uuid(),
  bucket_id text not null references storage.buckets,
  name text collate "C" not null,
  owner uuid,
  owner_id text,
  version text not null,
  metadata jsonb not null,
  user_metadata jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  last_accessed_at timestamptz not null default now(),
  unique (bucket_id, name)
);
create index objects_version_idx on storage.objects (version);
comment on column storage.objects.version is 'Names the file with the bytes. Copies share it. It is never written a second time.';

create function storage.foldername(name text) returns text[] language sql immutable strict set search_path = ''
as $$ select (string_to_array(name, '/'))[1 : cardinality(string_to_array(name, '/')) - 1] $$;
create function storage.filename(name text) returns text language sql immutable strict set search_path = ''
as $$ select (string_to_array(name, '/'))[cardinality(string_to_array(name, '/'))] $$;
create function storage.extension(name text) returns text language sql immutable strict set search_path = ''
as $$ select reverse(split_part(reverse(storage.filename(name)), '.', 1)) $$;

alter table storage.buckets enable row level security;
alter table storage.buckets force row level security;
alter table storage.objects enable row level security;
alter table storage.objects force row level security;
create policy server on storage.buckets to service_role using (true) with check (true);
create policy server on storage.objects to service_role using (true) with check (true);

-- As hosted: everyone may try, and no one may do what no policy allows.
grant select, insert, update, delete on storage.buckets, storage.objects to anon, authenticated, service_role;
