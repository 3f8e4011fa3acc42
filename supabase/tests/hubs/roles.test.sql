begin;
select plan(36);
savepoint empty;

-- add_admin and remove_admin answer the new role and notify the member (docs/product.md H10, H18).
select tests.elm();
select tests.hub('oak', 'lena'), tests.membership('oak', 'jonas');
select is(
  tests.refusal_as('lena', $$ select app.set_role(tests.id('elm'), tests.id('jonas'), 'admin') $$), 'PT403 FORBIDDEN',
  'set_role by itself refuses a non-member'
);

create function pg_temp.change(p_operation text, p_args jsonb default '{}')
returns jsonb
language plpgsql
as $$
declare
  v_answer jsonb;
begin
  perform tests.authenticate_as('amara');
  execute format('select api.%I($1)', p_operation) into v_answer using tests.hub_args(
    'elm', tests.user_args('jonas') || p_args
  );
  perform set_config('role', 'none', true);
  return v_answer - 'userId' || jsonb_build_object(
    'is jonas', v_answer ->> 'userId' = tests.id('jonas')::text,
    'members',
    array(select hub || ' ' || tests.members(hub) as member from unnest(array['elm', 'oak']) as hub order by member)
  );
end
$$;

select is(
  pg_temp.change(operation, args::jsonb),
  jsonb_build_object('role', role, 'is jonas', true, 'members', array[
    'elm amara: admin', 'elm jonas: ' || role, 'elm maya: manager', 'oak jonas: member', 'oak lena: admin'
  ]),
  title
)
from (
  values
    ('add_admin', '{"role": "manager"}', 'manager', 'add_admin makes a member of this Hub a manager'),
    ('add_admin', '{}', 'admin', 'add_admin makes an admin by default'),
    ('add_admin', '{"role": "admin"}', 'admin', 'add_admin gives an admin the same role again'),
    ('remove_admin', '{}', 'member', 'remove_admin makes an admin a member')
) as c (operation, args, role, title);
select results_eq(
  'select type, actor_id, subject_id, hub_id from app.events',
  $$ select 'hub_role_changed'::app.event_type, tests.id('amara'), tests.id('jonas'), tests.id('elm') $$,
  'changes of a role within a day share an event with actor, member and Hub'
);

create function pg_temp.refusal(p_caller text, p_operation text, p_member text, p_role text default null)
returns text
language sql
as $$
  select tests.refusal_as(p_caller, format('select api.%I(%L)', p_operation, tests.hub_args(
    'elm', tests.user_args(p_member) || jsonb_strip_nulls(jsonb_build_object('role', p_role))
  )))
$$;

select is(pg_temp.refusal(caller, operation, member, role), expected, title)
from (
  values
    ('maya', 'add_admin', 'maya', 'admin', 'PT403 FORBIDDEN', 'a manager cannot make themselves an admin'),
    (
      'amara', 'add_admin', 'lena', 'admin', 'PT404 MEMBER_NOT_FOUND',
      'add_admin raises MEMBER_NOT_FOUND for a non-member'
    ),
    (
      'amara', 'remove_admin', 'lena', null, 'PT404 MEMBER_NOT_FOUND',
      'remove_admin raises MEMBER_NOT_FOUND for a non-member'
    ),
    (
      'amara', 'add_admin', 'nobody', 'admin', 'PT404 MEMBER_NOT_FOUND',
      'add_admin raises MEMBER_NOT_FOUND for an unknown user'
    ),
    ('amara', 'add_admin', 'amara', 'admin', null, 'the last admin can take the same role again'),
    ('amara', 'add_admin', 'amara', 'manager', 'PT409 LAST_ADMIN', 'the last admin cannot become a manager'),
    ('amara', 'remove_admin', 'amara', null, 'PT409 LAST_ADMIN', 'the last admin cannot become a member'),
    ('amara', 'add_admin', 'jonas', 'admin', null, 'an admin can make a member an admin'),
    ('amara', 'remove_admin', 'amara', null, null, 'one of two admins can become a member')
) as c (caller, operation, member, role, expected, title);

rollback to empty;

-- require_replaceable keeps an admin in every Hub with other members (docs/product.md H16).
select tests.elm();
select tests.hub('oak', 'lena');
select tests.membership('oak', 'maya');

create function pg_temp.refusal(p_member text, p_hub text default 'elm')
returns text
language sql
as $$
  select tests.error_of(
    format('select app.require_replaceable(tests.id(%L), tests.id(%L))', p_hub, p_member)
  ) ->> 'code'
$$;

select tests.hub('ash', 'maya');
select is(pg_temp.refusal(member, hub), expected, title)
from (
  values
    ('amara', 'elm', 'LAST_ADMIN', 'require_replaceable refuses the last admin of a Hub with other members'),
    ('maya', 'elm', null, 'require_replaceable lets a manager go who is an admin of another Hub'),
    ('jonas', 'elm', null, 'require_replaceable lets a member go'),
    ('maya', 'ash', null, 'require_replaceable lets the only member of a Hub go')
) as c (member, hub, expected, title);
update app.memberships set role = 'admin' where hub_id = tests.id('elm') and user_id = tests.id('maya');
select is(pg_temp.refusal('amara'), null, 'require_replaceable lets one of two admins go');
update app.memberships set role = 'manager' where hub_id = tests.id('elm') and role = 'admin';
select is(pg_temp.refusal(name), null, format('require_replaceable lets %s leave a Hub without an admin', name))
from unnest(array['amara', 'maya']) as name;

rollback to empty;

-- succeed_admin picks the longest-serving manager, else the longest-serving member.
-- Rows are created in descending id order, so that only a sort finds the lowest id (docs/product.md H17).
select tests.person(name, 4)
from unnest(array['amara', 'ann', 'ben', 'cleo', 'dora', 'eli']) as name
order by tests.id(name) desc;
select tests.hub('elm', 'amara');
select tests.membership('elm', name, role::app.hub_role, app.now() - days * interval '1 day')
from (
  values ('ann', 'member', 4), ('ben', 'member', 5), ('cleo', 'manager', 2), ('dora', 'manager', 3),
  ('eli', 'manager', 6)
) as joined (name, role, days);
select tests.hub('oak', 'ann');
select tests.membership('oak', 'eli', 'manager', app.now() - interval '9 days');
select app.end_user(tests.id('eli'));

create function pg_temp.succeed()
returns setof text
language plpgsql
as $$
begin
  perform app.succeed_admin(tests.id('elm'), tests.id('amara'));
  return query
    select p.username collate "default" from app.memberships as m join app.profiles as p using (user_id)
    where m.hub_id = tests.id('elm') and m.role = 'admin' and m.user_id <> tests.id('amara');
end
$$;

select results_eq(
  'select pg_temp.succeed()', array['dora'],
  'succeed_admin picks the longest-serving manager whose account has not ended'
);
select results_eq('select pg_temp.succeed()', array['dora'], 'succeed_admin picks nobody where another admin can act');
select results_eq(
  'select tests.events()', array['hub_role_changed: nobody, dora'], 'succeed_admin emits one event for the new admin'
);
select is(role, 'manager', 'succeed_admin changes no role in another Hub')
from app.memberships where hub_id = tests.id('oak') and user_id = tests.id('eli');
update app.memberships set role = 'member' where hub_id = tests.id('elm') and user_id <> tests.id('amara');
select results_eq(
  'select pg_temp.succeed()', array['ben'], 'succeed_admin without managers picks the longest-serving member'
);
delete from app.memberships where hub_id = tests.id('elm') and user_id <> tests.id('amara');
select tests.membership('elm', name) from unnest(
  array['ann', 'ben', 'cleo', 'dora']
) as name order by tests.id(name) desc;
select results_eq(
  'select pg_temp.succeed()',
  $$ select name from unnest(array['ann', 'ben', 'cleo', 'dora']) as name order by tests.id(name) limit 1 $$,
  'succeed_admin picks the lowest id of members who joined at the same time'
);
delete from app.events;
delete from app.memberships where hub_id = tests.id('elm') and user_id <> tests.id('amara');
select tests.membership('elm', 'eli', 'manager');
select is_empty('select pg_temp.succeed()', 'succeed_admin picks nobody where only ended accounts are left');
select is_empty('select tests.events()', 'succeed_admin without a successor emits no event');

rollback to empty;

-- succeed_admin looks for an admin who can act, whether or not somebody leaves.
select tests.elm();
select tests.membership('elm', 'lena', 'manager', app.now() - interval '1 day');
create function pg_temp.admins_after(p_leaving text, variadic p_suspended text[])
returns text[]
language plpgsql
as $$
declare
  v_admins text[];
begin
  insert into app.suspensions (user_id) select unnest(tests.ids(variadic p_suspended));
  perform app.succeed_admin(tests.id('elm'), tests.id(p_leaving));
  v_admins := array(
    select member from tests.members('elm') as member where member ~ 'admin' order by member
  ) || array(select tests.events());
  raise exception using errcode = 'division_by_zero', message = v_admins::text;
exception when division_by_zero then
  return sqlerrm::text[];
end
$$;
select is(pg_temp.admins_after(leaving, variadic suspended), admins, title)
from (
  values
    (
      null, array[]::text[], array['amara: admin'],
      'succeed_admin changes nothing where the admin can act and nobody leaves'
    ),
    (
      null, array['amara'], array['amara: admin', 'lena: admin', 'hub_role_changed: nobody, lena'],
      'succeed_admin picks a manager where the only admin is suspended'
    ),
    (
      null, array['amara', 'lena'], array['amara: admin', 'maya: admin', 'hub_role_changed: nobody, maya'],
      'succeed_admin picks no suspended manager'
    ),
    (
      null, array['amara', 'lena', 'maya', 'jonas'], array['amara: admin'],
      'succeed_admin picks nobody where everybody is suspended'
    ),
    (
      'amara', array[]::text[], array['amara: admin', 'lena: admin', 'hub_role_changed: nobody, lena'],
      'succeed_admin picks a manager where the only admin leaves'
    ),
    (
      'jonas', array[]::text[], array['amara: admin'],
      'succeed_admin changes nothing where a member leaves and the admin can act'
    )
) as c (leaving, suspended, admins, title);

select * from finish();
rollback;
