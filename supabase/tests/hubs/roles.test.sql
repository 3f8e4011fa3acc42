begin;
select plan(52);
savepoint empty;

-- add_admin: answers the role
select tests.elm();
create function pg_temp.add(p_role jsonb)
returns jsonb
language sql
return api.add_admin(tests.in_hub('elm', tests.user('jonas') || p_role));

create function pg_temp.expected(p_role text)
returns jsonb
language sql
return tests.user('jonas') || jsonb_build_object('role', p_role);

select tests.authenticate_as('amara');
select is(pg_temp.add('{"role": "manager"}'), pg_temp.expected('manager'), 'of a manager');
select set_eq($$ select tests.members('elm') $$, array['amara: admin', 'maya: manager', 'jonas: manager'], 'which they are');
select is(pg_temp.add('{}'), pg_temp.expected('admin'), 'or else of an admin');
select set_eq($$ select tests.members('elm') $$, array['amara: admin', 'maya: manager', 'jonas: admin'], 'which they are then');
select is(api.remove_admin(tests.in_hub('elm', tests.user('jonas'))), pg_temp.expected('member'), 'and at last of a member');
select set_eq($$ select tests.members('elm') $$, array['amara: admin', 'maya: manager', 'jonas: member'], 'like others');

rollback to empty;

-- add_admin: is for admins
select tests.elm();
select is(
  tests.refusals('add_admin', tests.in_hub('elm', tests.user('jonas'))), tests.all_but_amara('FORBIDDEN', 'FORBIDDEN'), 'an outsider makes none'
);
select is(
  tests.refusals('remove_admin', tests.in_hub('elm', tests.user('maya'))), tests.all_but_amara('MEMBER_NOT_FOUND', 'FORBIDDEN'),
  'and knows of nobody whose role to take'
);
select is(
  tests.refusals('add_admin', tests.in_hub('elm', tests.user('lena'))), tests.all_but_amara('FORBIDDEN', 'FORBIDDEN') || '{"amara": "MEMBER_NOT_FOUND"}',
  'nobody but a member has a role'
);
select is(
  tests.refusals('remove_admin', tests.in_hub('elm', tests.user('lena'))),
  tests.all_but_amara('MEMBER_NOT_FOUND', 'FORBIDDEN') || '{"amara": "MEMBER_NOT_FOUND"}', 'or loses one'
);
select is(
  tests.refusals('remove_admin', tests.in_hub('elm', tests.user('amara'))),
  tests.all_but_amara('MEMBER_NOT_FOUND', 'FORBIDDEN') || '{"amara": "LAST_ADMIN"}', 'somebody stays admin'
);
select is(tests.refusals('add_admin', tests.in_hub('ash', tests.user('jonas'))), tests.everybody('HUB_NOT_FOUND'), 'in no Hub is any');
select is(tests.refusals('remove_admin', tests.in_hub('ash', tests.user('jonas'))), tests.everybody('HUB_NOT_FOUND'), 'to take away');

rollback to empty;

-- change_role: is of one member
select tests.elm();
select tests.hub('oak', 'jonas');
select app.change_role(tests.id('elm'), tests.id('jonas'), 'manager', null);
select bag_eq(
  $$ select tests.members(hub) from unnest(array['elm', 'oak']) as hub $$,
  array['amara: admin', 'maya: manager', 'jonas: manager', 'jonas: admin'], 'one member has another role in one Hub'
);
select results_eq('select tests.events()', array['hub_role_changed: nobody, jonas'], 'and is told, whether somebody did it or not');
select is_empty($$ select tests.who_may('select app.change_role(null, null, null, null)') $$, 'moves alone change roles');

rollback to empty;

-- put_role: changes a role
select tests.elm();
select tests.hub('oak', 'lena');
select tests.membership('oak', 'jonas');

create function pg_temp.refusal_of(p_user text, p_role app.hub_role)
returns text
language sql
as $$ select tests.refusal_of('amara', format('select app.put_role(tests.id(%L), tests.id(%L), %L)', 'elm', p_user, p_role)) $$;

select is(pg_temp.refusal_of('jonas', 'member'), null, 'a role may be given again');
select is(pg_temp.refusal_of('amara', 'admin'), null, 'even that of the last admin');
select is_empty('select tests.events()', 'which is told to nobody');
select is(pg_temp.refusal_of('amara', role), 'PT409 LAST_ADMIN', 'who does not become a ' || role)
from unnest(array['manager', 'member']::app.hub_role[]) as role;
select is(pg_temp.refusal_of('jonas', 'admin'), null, 'another becomes an admin');
select bag_eq(
  $$ select tests.members(hub) from unnest(array['elm', 'oak']) as hub $$,
  array['amara: admin', 'maya: manager', 'jonas: admin', 'lena: admin', 'jonas: member'], 'of this Hub'
);
select results_eq(
  'select type, actor_id, subject_id, hub_id from app.events',
  $$ values ('hub_role_changed'::app.event_type, tests.id('amara'), tests.id('jonas'), tests.id('elm')) $$, 'and is told'
);
select is(pg_temp.refusal_of('amara', 'member'), null, 'then the first one may stop');

rollback to empty;

-- put_role: is the admins
select tests.elm();
select tests.hub('oak', 'lena');

create function pg_temp.refusal_of(p_caller text, p_user text, p_role app.hub_role default 'admin', p_hidden text default null)
returns text
language sql
as $$
  select tests.refusal_of(
    p_caller, format('select app.put_role(tests.id(%L), tests.id(%L), %L, %L)', 'elm', p_user, p_role, p_hidden)
  )
$$;

select is(pg_temp.refusal_of('maya', 'maya'), 'PT403 FORBIDDEN', 'a manager does not make themselves an admin');
select is(pg_temp.refusal_of('jonas', 'jonas', 'manager'), 'PT403 FORBIDDEN', 'nor a member a manager');
select is(pg_temp.refusal_of('lena', 'jonas'), 'PT403 FORBIDDEN', 'an outsider is told that they are one');
select is(pg_temp.refusal_of('lena', 'jonas', 'member', 'MEMBER_NOT_FOUND'), 'PT404 MEMBER_NOT_FOUND', 'or that there is no such member');
select is(pg_temp.refusal_of(null, 'jonas'), '42501', 'a guest changes nothing');
select is(pg_temp.refusal_of('amara', 'lena'), 'PT404 MEMBER_NOT_FOUND', 'an admin gives no role to an outsider');
select is(pg_temp.refusal_of('amara', 'nobody'), 'PT404 MEMBER_NOT_FOUND', 'nor to nobody');
select bag_eq($$ select tests.members('elm') $$, array['amara: admin', 'maya: manager', 'jonas: member'], 'all stay what they are');
select set_eq($$ select tests.who_may('select app.put_role(null, null, null)') $$, array['authenticated'], 'who has a session may try');

rollback to empty;

-- require_replaceable: leaves no hub without admin
select tests.elm();
select tests.hub('oak', 'lena');
select tests.membership('oak', 'maya');

create function pg_temp.refusal_of(p_user text, p_hub text default 'elm')
returns text
language sql
as $$ select tests.error_of(format('select app.require_replaceable(tests.id(%L), tests.id(%L))', p_hub, p_user)) ->> 'code' $$;

select is(pg_temp.refusal_of('amara'), 'LAST_ADMIN', 'the last admin does not leave others behind');
select is(pg_temp.refusal_of('maya'), null, 'a manager may go');
select is(pg_temp.refusal_of('jonas'), null, 'and a member');
select tests.hub('ash', 'maya');
select is(pg_temp.refusal_of('maya'), null, 'whatever they are elsewhere');
select is(pg_temp.refusal_of('maya', 'ash'), null, 'an admin leaves an empty Hub');
update app.memberships set role = 'admin' where hub_id = tests.id('elm') and user_id = tests.id('maya');
select is(pg_temp.refusal_of('amara'), null, 'or one with another admin');
update app.memberships set role = 'manager' where hub_id = tests.id('elm') and role = 'admin';
select is(pg_temp.refusal_of(name), null, 'who is no admin leaves nobody without one: ' || name) from unnest(array['amara', 'maya']) as name;
select is_empty($$ select tests.who_may('select app.require_replaceable(null, null)') $$, 'moves alone ask');

rollback to empty;

-- succeed_admin: chooses the longest standing
select tests.person(name, 4) from unnest(array['amara', 'ann', 'ben', 'cleo', 'dora', 'eli']) as name order by tests.id(name) desc;
select tests.hub('elm', 'amara');
select tests.membership('elm', 'ann', 'member', app.now() - interval '4 days');
select tests.membership('elm', 'ben', 'member', app.now() - interval '5 days');
select tests.membership('elm', 'cleo', 'manager', app.now() - interval '2 days');
select tests.membership('elm', 'dora', 'manager', app.now() - interval '3 days');
select tests.membership('elm', 'eli', 'manager', app.now() - interval '6 days');
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

select results_eq('select pg_temp.succeed()', array['dora'], 'the longest-standing manager succeeds, but none whose account has ended');
select results_eq('select pg_temp.succeed()', array['dora'], 'once');
select results_eq('select tests.events()', array['hub_role_changed: nobody, dora'], 'who is told');
select is(role, 'manager', 'in this Hub alone') from app.memberships where hub_id = tests.id('oak') and user_id = tests.id('eli');
update app.memberships set role = 'member' where hub_id = tests.id('elm') and user_id <> tests.id('amara');
select results_eq('select pg_temp.succeed()', array['ben'], 'else the longest-standing member');
delete from app.memberships where hub_id = tests.id('elm') and user_id <> tests.id('amara');
select tests.membership('elm', name) from unnest(array['ann', 'ben', 'cleo', 'dora']) as name order by tests.id(name) desc;
select results_eq(
  'select pg_temp.succeed()',
  $$ select name from unnest(array['ann', 'ben', 'cleo', 'dora']) as name order by tests.id(name) limit 1 $$,
  'of those who joined at once always the same'
);
delete from app.events;
delete from app.memberships where hub_id = tests.id('elm') and user_id <> tests.id('amara');
select tests.membership('elm', 'eli', 'manager');
select is_empty('select pg_temp.succeed()', 'nobody, where nobody is left');
select is_empty('select tests.events()', 'who could be told');
select is_empty($$ select tests.who_may('select app.succeed_admin(null, null)') $$, 'moves alone do this');

select * from finish();
rollback;
