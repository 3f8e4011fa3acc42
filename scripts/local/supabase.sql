-- The parts of a Supabase project that Opine needs: roles, their grants, and the schemas `extensions`, `auth`, `storage` and `realtime`.
-- Run it as the superuser in a database of the embedded stack; it is idempotent.
-- Attributes and grants equal those of a hosted project on Postgres 17, so that a migration that works here works there.

do $$
begin
  if to_regrole('postgres') is null then
    create role postgres login createdb createrole replication bypassrls;
  end if;
  if to_regrole('anon') is null then
    create role anon nologin;
  end if;
  if to_regrole('authenticated') is null then
    create role authenticated nologin;
  end if;
  if to_regrole('service_role') is null then
    create role service_role nologin bypassrls;
  end if;
  if to_regrole('authenticator') is null then
    create role authenticator login noinherit;
  end if;
  if to_regrole('supabase_auth_admin') is null then
    create role supabase_auth_admin nologin noinherit createrole;
  end if;
  if to_regrole('supabase_storage_admin') is null then
    create role supabase_storage_admin nologin noinherit createrole;
  end if;
  if to_regrole('dashboard_user') is null then
    create role dashboard_user nologin createdb createrole replication;
  end if;
end
$$;

alter role postgres set search_path = "$user", public, extensions;
grant anon, authenticated, service_role to authenticator with inherit false;
grant anon, authenticated, service_role, authenticator to postgres with admin option;
grant pg_create_subscription, pg_monitor, pg_read_all_data, pg_signal_backend to postgres with admin option;

do $$
begin
  execute format('alter database %I owner to postgres', current_database());
  execute format('grant all on database %I to dashboard_user', current_database());
end
$$;

grant usage on schema public to postgres, anon, authenticated, service_role;
alter default privileges for role postgres in schema public grant all on tables to anon, authenticated, service_role;
alter default privileges for role postgres in schema public grant all on functions to anon, authenticated, service_role;
alter default privileges for role postgres in schema public grant all on sequences to anon, authenticated, service_role;

create schema if not exists extensions authorization postgres;
grant usage on schema extensions to anon, authenticated, service_role;
grant all on schema extensions to dashboard_user;
create extension if not exists pgcrypto with schema extensions;
create extension if not exists "uuid-ossp" with schema extensions;

create schema if not exists auth;
grant usage on schema auth to postgres, anon, authenticated, service_role;

create or replace function auth.jwt()
returns jsonb
language sql
stable
set search_path = ''
return coalesce(nullif(current_setting('request.jwt.claims', true), ''), nullif(current_setting('request.jwt.claim', true), ''))::jsonb;

create or replace function auth.uid()
returns uuid
language sql
stable
set search_path = ''
return (auth.jwt() ->> 'sub')::uuid;

create or replace function auth.role()
returns text
language sql
stable
set search_path = ''
return auth.jwt() ->> 'role';

create schema if not exists storage;
grant usage on schema storage to postgres, anon, authenticated, service_role, supabase_storage_admin;
create table if not exists storage.buckets (
  id text primary key,
  name text not null unique,
  public boolean default false
);
create table if not exists storage.objects (
  id uuid primary key default gen_random_uuid(),
  bucket_id text references storage.buckets (id),
  name text,
  owner_id text,
  metadata jsonb,
  created_at timestamptz default now(),
  updated_at timestamptz default now()
);
alter table storage.objects enable row level security;
grant all on storage.buckets, storage.objects to anon, authenticated, service_role;
alter table storage.buckets owner to supabase_storage_admin;
-- On Supabase it belongs to supabase_storage_admin, and supautils lets `postgres` create policies on it.
alter table storage.objects owner to postgres;

create schema if not exists realtime;
grant usage on schema realtime to postgres, anon, authenticated, service_role;
create table if not exists realtime.messages (
  topic text not null,
  extension text not null,
  payload jsonb,
  event text,
  private boolean default false,
  updated_at timestamp not null default now(),
  inserted_at timestamp not null default now(),
  id uuid not null default gen_random_uuid()
);
create index if not exists messages_inserted_at_idx on realtime.messages (inserted_at);
create index if not exists messages_id_idx on realtime.messages (id);
alter table realtime.messages enable row level security;
grant select, insert, update on realtime.messages to postgres, anon, authenticated, service_role;
alter table realtime.messages owner to postgres;

create or replace function realtime.topic()
returns text
language sql
stable
set search_path = ''
return nullif(current_setting('realtime.topic', true), '');

create or replace function realtime.send(payload jsonb, event text, topic text, private boolean default true)
returns void
language plpgsql
set search_path = ''
as $$
begin
  perform set_config('realtime.topic', topic, true);
  insert into realtime.messages (topic, extension, payload, event, private) values (topic, 'broadcast', payload, event, private);
end
$$;

-- Realtime reads the table from the WAL, and drops old partitions; the local one (scripts/local/realtime.ts) listens.
create or replace function realtime.announce_messages()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform pg_notify('realtime_messages', i.id || ' ' || i.topic) from inserted as i where i.extension = 'broadcast';
  if random() < 0.001 then
    delete from realtime.messages where inserted_at < now() - interval '1 hour';
  end if;
  return null;
end
$$;
create or replace trigger messages_announce_after_insert after insert on realtime.messages
referencing new table as inserted
for each statement execute function realtime.announce_messages();

-- Marks a database of the embedded stack. Development-only functions check it.
create schema if not exists embedded;
create table if not exists embedded.stack (
  is_singleton boolean primary key default true check (is_singleton),
  made_at timestamptz not null default now(),
  seeded_at timestamptz
);
insert into embedded.stack (is_singleton) values (true) on conflict do nothing;
