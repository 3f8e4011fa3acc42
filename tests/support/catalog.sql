-- Lists a database's schema and its cluster's roles, one fact a line, without facts that change on their own. Each object is
-- named by its identity, and marked `ours` if our migrations create it.
with
ours (oid) as (
  select oid from pg_namespace where nspname in ('app', 'api', 'gateway', 'staff', 'supabase_migrations')
),
facts (class, id, fact) as (
  select 'pg_namespace'::regclass, oid, to_jsonb(n) - 'oid' from pg_namespace as n
  union all
  select 'pg_class'::regclass, oid,
    to_jsonb(c) - array['oid', 'relfilenode', 'relpages', 'reltuples', 'relallvisible', 'relfrozenxid', 'relminmxid', 'reltype']
  from pg_class as c where relnamespace <> 'pg_toast'::regnamespace
  union all
  select 'pg_class'::regclass, attrelid, to_jsonb(a) - 'attrelid' from pg_attribute as a
  where attnum > 0 and attrelid in (select oid from pg_class where relnamespace <> 'pg_toast'::regnamespace)
  union all
  select 'pg_proc'::regclass, oid, to_jsonb(p) - 'oid' from pg_proc as p
  union all
  select 'pg_type'::regclass, oid, jsonb_build_object('owner', typowner, 'acl', typacl, 'type', typtype) from pg_type
  union all
  select 'pg_policy'::regclass, oid, to_jsonb(p) - 'oid' from pg_policy as p
  union all
  select 'pg_trigger'::regclass, oid, to_jsonb(t) - 'oid' from pg_trigger as t where not tgisinternal
  union all
  select 'pg_constraint'::regclass, oid, to_jsonb(pg_get_constraintdef(oid)) from pg_constraint
  union all
  select 'pg_default_acl'::regclass, oid, to_jsonb(d) - 'oid' from pg_default_acl as d
  union all
  select 'pg_extension'::regclass, oid, to_jsonb(e) - 'oid' from pg_extension as e
  union all
  select 'pg_event_trigger'::regclass, oid, to_jsonb(e) - 'oid' from pg_event_trigger as e
  union all
  select 'pg_publication'::regclass, oid, to_jsonb(p) - 'oid' from pg_publication as p
  union all
  select 'pg_publication_rel'::regclass, oid, to_jsonb(p) - 'oid' from pg_publication_rel as p
)
select format('%s %s: %s', object.type, object.identity, fact) as line
from facts
cross join lateral pg_identify_object(class, id, 0) as object
where
  not exists (select from ours where ours.oid = id and class = 'pg_namespace'::regclass)
  and coalesce(object.schema, '') not in (select nspname from pg_namespace join ours using (oid))
  and not (class = 'pg_type'::regclass and object.identity ~ '^(app|api|gateway|staff|supabase_migrations)[.]')
  and not (class in ('pg_policy'::regclass, 'pg_trigger'::regclass, 'pg_constraint'::regclass)
    and object.identity ~ ' on (app|api|gateway|staff|supabase_migrations)[.]')
  -- The name of an extension suffices.
  and not exists (
    select from pg_depend where classid = class and objid = id and deptype = 'e' and refclassid = 'pg_extension'::regclass
  )
union all
select format('role %s: %s', rolname, to_jsonb(r) - array['oid', 'rolpassword']) from pg_roles as r
union all
select format('membership of %s in %s: %s %s %s', member::regrole, roleid::regrole, admin_option, inherit_option, set_option)
from pg_auth_members
union all
select format('database: %s', to_jsonb(d) - array['oid', 'datfrozenxid', 'datminmxid']) from pg_database as d
where datname = current_database()
order by line
