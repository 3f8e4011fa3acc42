begin;
select plan(48);
savepoint empty;

-- Only an admin gives and takes roles, through add_admin and remove_admin.
select tests.elm();

select is(tests.refusals(operation, tests.hub_args(hub, tests.user_args(member))), expected, title)
from (
  values
    ('add_admin', 'elm', 'jonas', tests.refusals_below_admin('FORBIDDEN', 'FORBIDDEN'), 'only an admin gives a member a role'),
    (
      'remove_admin', 'elm', 'maya', tests.refusals_below_admin('MEMBER_NOT_FOUND', 'FORBIDDEN'),
      'only an admin takes a role away, and a non-member gets MEMBER_NOT_FOUND'
    ),
    (
      'add_admin', 'elm', 'lena', tests.refusals_below_admin('FORBIDDEN', 'FORBIDDEN') || '{"amara": "MEMBER_NOT_FOUND"}',
      'add_admin raises MEMBER_NOT_FOUND for a non-member'
    ),
    (
      'remove_admin', 'elm', 'lena',
      tests.refusals_below_admin('MEMBER_NOT_FOUND', 'FORBIDDEN') || '{"amara": "MEMBER_NOT_FOUND"}',
      'remove_admin raises MEMBER_NOT_FOUND for a non-member'
    ),
    (
      'remove_admin', 'elm', 'amara', tests.refusals_below_admin('MEMBER_NOT_FOUND', 'FORBIDDEN') || '{"amara": "LAST_ADMIN"}',
      'remove_admin refuses to take the last admin''s role'
    ),
    (
      'add_admin', 'unknown', 'jonas', tests.refusals_of_all('HUB_NOT_FOUND'), 'add_admin raises HUB_NOT_FOUND for an unknown Hub'
    ),
    (
      'remove_admin', 'unknown', 'jonas', tests.refusals_of_all('HUB_NOT_FOUND'),
      'remove_admin raises HUB_NOT_FOUND for an unknown Hub'
    )
) as c (operation, hub, member, expected, title);

create function pg_temp.add(p_role jsonb)
returns jsonb
language sql
return api.add_admin(tests.hub_args('elm', tests.user_args('jonas') || p_role));

create function pg_temp.answer(p_role text)
returns jsonb
language sql
return tests.user_args('jonas') || jsonb_build_object('role', p_role);

select tests.authenticate_as('amara');
select is(pg_temp.add('{"role": "manager"}'), pg_temp.answer('manager'), 'add_admin returns the role manager');
select set_eq(
  $$ select tests.members('elm') $$, array['amara: admin', 'maya: manager', 'jonas: manager'],
  'add_admin makes a member a manager'
);
select is(pg_temp.add('{}'), pg_temp.answer('admin'), 'add_admin returns the role admin by default');
select set_eq(
  $$ select tests.members('elm') $$, array['amara: admin', 'maya: manager', 'jonas: admin'], 'add_admin makes an admin by default'
);
select is(
  api.remove_admin(tests.hub_args('elm', tests.user_args('jonas'))), pg_temp.answer('member'),
  'remove_admin returns the role member'
);
select set_eq(
  $$ select tests.members('elm') $$, array['amara: admin', 'maya: manager', 'jonas: member'],
  'remove_admin makes an admin a member'
);

rollback to empty;

-- change_role changes one member of one Hub and emits an event.
select tests.elm();
select tests.hub('oak', 'jonas');
select app.change_role(tests.id('elm'), tests.id('jonas'), 'manager', null);
select bag_eq(
  $$ select tests.members(hub) from unnest(array['elm', 'oak']) as hub $$,
  array['amara: admin', 'maya: manager', 'jonas: manager', 'jonas: admin'], 'change_role changes one member of one Hub'
);
select results_eq(
  'select tests.events()', array['hub_role_changed: nobody, jonas'], 'change_role without an actor emits an event for the member'
);

rollback to empty;

-- put_role requires an admin of the Hub, and keeps one.
select tests.elm();
select tests.hub('oak', 'lena');
select tests.membership('oak', 'jonas');

create function pg_temp.refusal(p_caller text, p_member text, p_role text, p_hidden text default null)
returns text
language sql
as $$
  select tests.refusal_as(
    p_caller, format('select app.put_role(tests.id(%L), tests.id(%L), %L, %L)', 'elm', p_member, p_role, p_hidden)
  )
$$;

select is(pg_temp.refusal(caller, member, role, hidden), expected, title)
from (
  values
    ('maya', 'maya', 'admin', null, 'PT403 FORBIDDEN', 'a manager cannot make themselves an admin'),
    ('jonas', 'jonas', 'manager', null, 'PT403 FORBIDDEN', 'a member cannot make themselves a manager'),
    ('lena', 'jonas', 'admin', null, 'PT403 FORBIDDEN', 'put_role refuses a non-member by default with FORBIDDEN'),
    (
      'lena', 'jonas', 'member', 'MEMBER_NOT_FOUND', 'PT404 MEMBER_NOT_FOUND',
      'put_role refuses a non-member with the code it is given'
    ),
    (null, 'jonas', 'admin', null, '42501', 'a guest cannot change a role'),
    ('amara', 'lena', 'admin', null, 'PT404 MEMBER_NOT_FOUND', 'put_role raises MEMBER_NOT_FOUND for a non-member'),
    ('amara', 'nobody', 'admin', null, 'PT404 MEMBER_NOT_FOUND', 'put_role raises MEMBER_NOT_FOUND for an unknown user')
) as c (caller, member, role, hidden, expected, title);
select bag_eq(
  $$ select tests.members('elm') $$, array['amara: admin', 'maya: manager', 'jonas: member'], 'a refused put_role changes no role'
);

select is(pg_temp.refusal('amara', member, role), expected, title)
from (
  values
    ('jonas', 'member', null, 'an admin can give a member the same role again'),
    ('amara', 'admin', null, 'the last admin can take the same role again'),
    ('amara', 'manager', 'PT409 LAST_ADMIN', 'the last admin cannot become a manager'),
    ('amara', 'member', 'PT409 LAST_ADMIN', 'the last admin cannot become a member')
) as c (member, role, expected, title);
select is_empty('select tests.events()', 'an unchanged role emits no event');
select is(pg_temp.refusal('amara', 'jonas', 'admin'), null, 'an admin can make a member an admin');
select bag_eq(
  $$ select tests.members(hub) from unnest(array['elm', 'oak']) as hub $$,
  array['amara: admin', 'maya: manager', 'jonas: admin', 'lena: admin', 'jonas: member'], 'put_role changes one member of one Hub'
);
select results_eq(
  'select type, actor_id, subject_id, hub_id from app.events',
  $$ values ('hub_role_changed'::app.event_type, tests.id('amara'), tests.id('jonas'), tests.id('elm')) $$,
  'put_role emits an event with actor, member and Hub'
);
select is(pg_temp.refusal('amara', 'amara', 'member'), null, 'one of two admins can become a member');

rollback to empty;

-- require_replaceable keeps an admin in every Hub with other members.
select tests.elm();
select tests.hub('oak', 'lena');
select tests.membership('oak', 'maya');

create function pg_temp.refusal(p_member text, p_hub text default 'elm')
returns text
language sql
as $$ select tests.error_of(format('select app.require_replaceable(tests.id(%L), tests.id(%L))', p_hub, p_member)) ->> 'code' $$;

select is(pg_temp.refusal(member), expected, title)
from (
  values
    ('amara', 'LAST_ADMIN', 'require_replaceable refuses the last admin of a Hub with other members'),
    ('maya', null, 'require_replaceable lets a manager go'),
    ('jonas', null, 'require_replaceable lets a member go')
) as c (member, expected, title);
select tests.hub('ash', 'maya');
select is(pg_temp.refusal('maya'), null, 'require_replaceable lets a manager go who is an admin of another Hub');
select is(pg_temp.refusal('maya', 'ash'), null, 'require_replaceable lets the only member of a Hub go');
update app.memberships set role = 'admin' where hub_id = tests.id('elm') and user_id = tests.id('maya');
select is(pg_temp.refusal('amara'), null, 'require_replaceable lets one of two admins go');
update app.memberships set role = 'manager' where hub_id = tests.id('elm') and role = 'admin';
select is(pg_temp.refusal(name), null, format('require_replaceable lets %s leave a Hub without an admin', name))
from unnest(array['amara', 'maya']) as name;

rollback to empty;

-- succeed_admin picks the longest-serving manager, else the longest-serving member.
-- Rows are created in descending id order, so that only a sort finds the lowest id.
select tests.person(name, 4)
from unnest(array['amara', 'ann', 'ben', 'cleo', 'dora', 'eli']) as name
order by tests.id(name) desc;
select tests.hub('elm', 'amara');
select tests.membership('elm', name, role::app.hub_role, app.now() - days * interval '1 day')
from (
  values ('ann', 'member', 4), ('ben', 'member', 5), ('cleo', 'manager', 2), ('dora', 'manager', 3), ('eli', 'manager', 6)
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
  'select pg_temp.succeed()', array['dora'], 'succeed_admin picks the longest-serving manager whose account has not ended'
);
select results_eq('select pg_temp.succeed()', array['dora'], 'succeed_admin picks nobody where another admin can act');
select results_eq(
  'select tests.events()', array['hub_role_changed: nobody, dora'], 'succeed_admin emits one event for the new admin'
);
select is(role, 'manager', 'succeed_admin changes no role in another Hub')
from app.memberships where hub_id = tests.id('oak') and user_id = tests.id('eli');
update app.memberships set role = 'member' where hub_id = tests.id('elm') and user_id <> tests.id('amara');
select results_eq('select pg_temp.succeed()', array['ben'], 'succeed_admin without managers picks the longest-serving member');
delete from app.memberships where hub_id = tests.id('elm') and user_id <> tests.id('amara');
select tests.membership('elm', name) from unnest(array['ann', 'ben', 'cleo', 'dora']) as name order by tests.id(name) desc;
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

select * from finish();
rollback;
