-- An unused database of Supabase's Postgres 17 image: roles, owners, grants, default privileges and event triggers, taken
-- from the image's init scripts and migrations. Unlike scripts/local/supabase.sql it includes everything that a migration
-- could meet, and gives `postgres` no additional rights. Storage and Realtime create their tables at their first start
-- (supabase-storage.sql, supabase-realtime.sql).
-- Run as supabase_admin, the superuser, in an empty database of an empty cluster.

create role postgres login createdb createrole replication bypassrls;
create role anon nologin;
create role authenticated nologin;
create role service_role nologin bypassrls;
create role authenticator login noinherit;
create role dashboard_user nologin createdb createrole replication;
create role pgbouncer login;
create role supabase_auth_admin login noinherit;
create role supabase_storage_admin login noinherit createrole;
create role supabase_realtime_admin login noinherit createrole replication;
create role supabase_functions_admin login noinherit createrole;
create role supabase_replication_admin login replication;
create role supabase_etl_admin login replication;
create role supabase_read_only_user login bypassrls;

grant anon, authenticated, service_role to authenticator;
grant authenticator to supabase_storage_admin;
grant anon, authenticated, service_role to supabase_realtime_admin;
grant anon, authenticated, service_role, authenticator to postgres with admin option;
grant pg_monitor, pg_read_all_data, pg_signal_backend, pg_create_subscription to postgres with admin option;
grant pg_read_all_data to supabase_read_only_user, supabase_etl_admin;

alter role postgres set search_path = "$user", public, extensions;
alter role supabase_auth_admin set search_path = auth;
alter role supabase_storage_admin set search_path = storage;
alter role supabase_realtime_admin set search_path = realtime;
alter role anon set statement_timeout = '3s';
alter role authenticated set statement_timeout = '8s';
alter role authenticator set statement_timeout = '8s';
alter role authenticator set lock_timeout = '8s';

do $$
begin
  execute format('alter database %I owner to postgres', current_database());
  execute format('grant all on database %I to dashboard_user', current_database());
  execute format('grant create on database %I to supabase_realtime_admin', current_database());
end
$$;

grant usage on schema public to postgres, anon, authenticated, service_role;
grant create, usage on schema public to supabase_realtime_admin;

-- New objects of either in `public` are open to all API roles.
alter default privileges for role postgres in schema public grant all on tables to postgres, anon, authenticated, service_role;
alter default privileges for role postgres in schema public grant all on functions to postgres, anon, authenticated, service_role;
alter default privileges for role postgres in schema public grant all on sequences to postgres, anon, authenticated, service_role;
alter default privileges for role supabase_admin in schema public grant all on tables to postgres, anon, authenticated, service_role;
alter default privileges for role supabase_admin in schema public grant all on functions to postgres, anon, authenticated, service_role;
alter default privileges for role supabase_admin in schema public grant all on sequences to postgres, anon, authenticated, service_role;

create schema extensions;
grant usage on schema extensions to anon, authenticated, service_role, supabase_realtime_admin;
grant all on schema extensions to postgres, dashboard_user;
alter default privileges for role supabase_admin in schema extensions grant all on tables to postgres with grant option;
alter default privileges for role supabase_admin in schema extensions grant all on routines to postgres with grant option;
alter default privileges for role supabase_admin in schema extensions grant all on sequences to postgres with grant option;
create extension "uuid-ossp" with schema extensions;
create extension pgcrypto with schema extensions;

create schema auth;
grant usage on schema auth to postgres, anon, authenticated, service_role, supabase_realtime_admin;
grant all on schema auth to supabase_auth_admin, dashboard_user;
alter default privileges for role supabase_auth_admin in schema auth grant all on tables to postgres, dashboard_user;
create table auth.users (id uuid primary key, email text unique, created_at timestamptz default now());
alter table auth.users enable row level security;
alter table auth.users owner to supabase_auth_admin;
grant all on auth.users to postgres, dashboard_user;
create function auth.uid() returns uuid language sql stable
return (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid;
create function auth.role() returns text language sql stable
return nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role';
create function auth.jwt() returns jsonb language sql stable
return nullif(current_setting('request.jwt.claims', true), '')::jsonb;
alter function auth.uid() owner to supabase_auth_admin;
alter function auth.role() owner to supabase_auth_admin;
alter function auth.jwt() owner to supabase_auth_admin;

create schema storage;
grant usage on schema storage to postgres with grant option;
grant usage on schema storage to anon, authenticated, service_role;
grant all on schema storage to supabase_storage_admin, dashboard_user;
alter default privileges for role postgres in schema storage grant all on tables to postgres, anon, authenticated, service_role;
alter default privileges for role postgres in schema storage grant all on functions to postgres, anon, authenticated, service_role;

create schema realtime;
grant usage on schema realtime to postgres with grant option;
grant usage on schema realtime to anon, authenticated, service_role;
grant all on schema realtime to supabase_realtime_admin with grant option;

create schema vault;
grant usage on schema vault to postgres with grant option;
create table vault.secrets (id uuid primary key default gen_random_uuid(), name text, secret text not null);
create view vault.decrypted_secrets as select id, name, secret, secret as decrypted_secret from vault.secrets;
grant select, delete on vault.secrets, vault.decrypted_secrets to postgres with grant option;

create schema graphql;
create schema graphql_public;
grant usage on schema graphql, graphql_public to postgres with grant option;
grant usage on schema graphql, graphql_public to anon, authenticated, service_role;
create schema pgbouncer authorization pgbouncer;

set role postgres;
create publication supabase_realtime;
reset role;

-- Mimics supautils.policy_grants, by which the image lets `postgres` manage policies on tables it does not own: such a
-- statement runs with the owners' rights. Before supautils 3.3 this excludes comments on policies.
create function extensions.start_policy_statement() returns event_trigger language plpgsql security definer as $$
begin
  grant supabase_storage_admin, supabase_realtime_admin to postgres with inherit true, set false;
end
$$;
create function extensions.end_policy_statement() returns event_trigger language plpgsql security definer as $$
begin
  revoke supabase_storage_admin, supabase_realtime_admin from postgres;
end
$$;
create event trigger start_policy_statement on ddl_command_start
  when tag in ('CREATE POLICY', 'ALTER POLICY', 'DROP POLICY') execute function extensions.start_policy_statement();
create event trigger end_policy_statement on ddl_command_end
  when tag in ('CREATE POLICY', 'ALTER POLICY', 'DROP POLICY') execute function extensions.end_policy_statement();

-- Notifies the Data API of every schema change.
create function extensions.pgrst_ddl_watch() returns event_trigger language plpgsql as $$
declare
  v_command record;
begin
  for v_command in select * from pg_event_trigger_ddl_commands() loop
    if v_command.schema_name is distinct from 'pg_temp' then
      notify pgrst, 'reload schema';
    end if;
  end loop;
end
$$;
create function extensions.pgrst_drop_watch() returns event_trigger language plpgsql as $$
begin
  if exists (select from pg_event_trigger_dropped_objects() where not is_temporary) then
    notify pgrst, 'reload schema';
  end if;
end
$$;
create event trigger pgrst_ddl_watch on ddl_command_end execute function extensions.pgrst_ddl_watch();
create event trigger pgrst_drop_watch on sql_drop execute function extensions.pgrst_drop_watch();
