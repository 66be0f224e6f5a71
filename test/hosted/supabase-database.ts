import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** Those who own what Supabase brings along. Roles belong to the whole cluster, so another run may have made them. */
const ADMINS = ['supabase_auth_admin', 'supabase_storage_admin', 'supabase_realtime_admin'];

/**
 * Makes of an empty database what a new project at hosted Supabase has, as far as our migrations meet it.
 * Returns the address of the login that stands for `postgres`, which is no superuser.
 * - From dumps and init scripts of its PostgreSQL 17: schemas that belong to others, a publication, and default privileges that give the
 * API roles whatever is made in schema public.
 * - `adminUrl`: of a superuser.
 */
export async function likeSupabase(adminUrl: string): Promise<string> {
  const owner = `like_supabase_${randomBytes(4).toString('hex')}`;
  const url = new URL(adminUrl);
  Object.assign(url, { username: owner, password: randomBytes(12).toString('hex') });
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    for (const role of ADMINS)
      await admin.query(
        `do $$ begin create role ${role} nologin noinherit; exception when duplicate_object or unique_violation then null; end $$`,
      );
    await admin.query(`
      create role ${owner} login createrole createdb bypassrls password '${url.password}';
      grant anon, authenticated, service_role to ${owner} with admin option;
      -- Another database of this cluster has had them made; at Supabase its own login makes them.
      grant fairlead_web, fairlead_worker to ${owner} with admin option;
      grant create on database ${url.pathname.slice(1)} to ${owner};
      alter schema public owner to ${owner};
      alter default privileges for role ${owner} in schema public grant all on tables to anon, authenticated, service_role;
      alter default privileges for role ${owner} in schema public grant all on functions to anon, authenticated, service_role;
      alter default privileges for role ${owner} in schema public grant all on sequences to anon, authenticated, service_role;
      create publication supabase_realtime;
      alter publication supabase_realtime owner to ${owner};
      ${AUTH}${STORAGE}${REALTIME}
      grant usage on schema auth, storage, realtime to ${owner}, anon, authenticated, service_role, ${ADMINS.join(', ')};
      grant all on all tables in schema auth to ${owner};
      grant all on storage.buckets, storage.objects to ${owner} with grant option;
      grant all on realtime.messages to ${owner};
      -- Stands for supautils.policy_grants, by which that login may write policies there. It may do nothing else.
      grant supabase_storage_admin, supabase_realtime_admin to ${owner};
    `);
  } finally {
    await admin.end();
  }
  return url.href;
}

const AUTH = `
  create schema auth;
  create function auth.jwt() returns jsonb language sql stable as $$
    select coalesce(nullif(current_setting('request.jwt.claim', true), ''),
      nullif(current_setting('request.jwt.claims', true), ''))::jsonb $$;
  create function auth.uid() returns uuid language sql stable as $$
    select coalesce(nullif(current_setting('request.jwt.claim.sub', true), ''),
      nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid $$;
  create function auth.role() returns text language sql stable as $$
    select coalesce(nullif(current_setting('request.jwt.claim.role', true), ''),
      nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role') $$;
  create type auth.factor_status as enum ('unverified', 'verified');
  create table auth.users (id uuid primary key, email varchar(255), raw_user_meta_data jsonb, created_at timestamptz);
  create table auth.mfa_factors (
    id uuid primary key, user_id uuid not null references auth.users on delete cascade, status auth.factor_status not null);
  alter table auth.users owner to supabase_auth_admin;
  alter table auth.mfa_factors owner to supabase_auth_admin;
  alter table auth.users enable row level security;
  alter table auth.mfa_factors enable row level security;
`;

const STORAGE = `
  create schema storage;
  create table storage.buckets (
    id text primary key, name text not null, owner uuid, created_at timestamptz default now(), updated_at timestamptz default now(),
    public boolean default false, avif_autodetection boolean default false, file_size_limit bigint, allowed_mime_types text[],
    owner_id text);
  create table storage.objects (
    id uuid primary key default gen_random_uuid(), bucket_id text references storage.buckets, name text, owner uuid,
    created_at timestamptz default now(), updated_at timestamptz default now(), last_accessed_at timestamptz default now(),
    metadata jsonb, path_tokens text[] generated always as (string_to_array(name, '/')) stored, version text, owner_id text,
    user_metadata jsonb);
  alter table storage.buckets owner to supabase_storage_admin;
  alter table storage.objects owner to supabase_storage_admin;
  alter table storage.buckets enable row level security;
  alter table storage.objects enable row level security;
  grant all on storage.buckets, storage.objects to anon, authenticated, service_role;
`;

const REALTIME = `
  create schema realtime;
  create function realtime.topic() returns text language sql stable as $$
    select nullif(current_setting('realtime.topic', true), '')::text $$;
  create table realtime.messages (
    topic text not null, extension text not null, payload jsonb, event text, private boolean default false,
    updated_at timestamp not null default now(), inserted_at timestamp not null default now(), id uuid not null default gen_random_uuid(),
    primary key (id, inserted_at)) partition by range (inserted_at);
  create table realtime.messages_of_today partition of realtime.messages default;
  alter table realtime.messages owner to supabase_realtime_admin;
  alter table realtime.messages enable row level security;
  grant select, insert, update on realtime.messages to anon, authenticated, service_role;
`;
