create function tests.our_schemas()
returns text[]
language sql
immutable
return array['app', 'api', 'gateway', 'staff'];
comment on function tests.our_schemas() is 'The schemas that are ours; every other one belongs to the platform or to an extension.';

create view tests.our_functions as
select
  p.oid,
  n.nspname::text as schema,
  p.oid::regprocedure::text as signature,
  p.prosecdef as is_definer,
  p.proconfig as settings,
  pg_get_functiondef(p.oid) as definition
from pg_proc as p
join pg_namespace as n on n.oid = p.pronamespace
where n.nspname = any (tests.our_schemas()) and p.prokind in ('f', 'p');
comment on view tests.our_functions is 'Every function and procedure of ours.';

create view tests.our_tables as
select c.oid, format('%s.%s', n.nspname, c.relname) as name, c.relrowsecurity as has_policies, c.relkind as kind
from pg_class as c
join pg_namespace as n on n.oid = c.relnamespace
where n.nspname = any (tests.our_schemas()) and c.relkind in ('r', 'p', 'v', 'm', 'f');
comment on view tests.our_tables is 'Every table and view of ours.';

create function tests.executable_by(p_role text, p_schema text)
returns setof text
language sql
stable
begin atomic
  select f.signature
  from tests.our_functions as f
  where f.schema = p_schema and has_function_privilege(p_role, f.oid, 'execute');
end;
comment on function tests.executable_by(text, text) is 'What of a schema a role may execute, by a grant of its own or of PUBLIC.';

create function tests.table_privileges_of(p_role text)
returns setof text
language sql
stable
begin atomic
  select format('%s %s', lower(acl.privilege_type), t.name)
  from tests.our_tables as t
  join pg_class as c on c.oid = t.oid
  cross join lateral aclexplode(c.relacl) as acl
  where acl.grantee in (0, p_role::regrole)
  union all
  select format('%s %s(%s)', lower(acl.privilege_type), t.name, string_agg(a.attname, ', ' order by a.attnum))
  from tests.our_tables as t
  join pg_attribute as a on a.attrelid = t.oid and not a.attisdropped
  cross join lateral aclexplode(a.attacl) as acl
  where acl.grantee in (0, p_role::regrole)
  group by acl.privilege_type, t.name;
end;
comment on function tests.table_privileges_of(text) is 'What a role may do to tables, by a grant of its own or of PUBLIC: "select app.posts", or "update app.users(terms_version)" where columns are named.';

create function tests.references()
returns setof text
language sql
stable
begin atomic
  select format(
    '%s(%s) %s %s', t.name, string_agg(a.attname, ', ' order by k.place),
    case f.confdeltype when 'c' then 'goes with' when 'r' then 'keeps' when 'n' then 'forgets' end, other.name
  )
  from pg_constraint as f
  join tests.our_tables as t on t.oid = f.conrelid
  join tests.our_tables as other on other.oid = f.confrelid
  cross join lateral unnest(f.conkey) with ordinality as k (attnum, place)
  join pg_attribute as a on a.attrelid = f.conrelid and a.attnum = k.attnum
  where f.contype = 'f'
  group by f.oid, t.name, f.confdeltype, other.name;
end;
comment on function tests.references() is 'What refers to what, and what becomes of it when that is deleted: "app.posts(author_id) goes with app.users".';
