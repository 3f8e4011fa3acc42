begin;
select plan(44);
savepoint empty;

-- find_accounts: hides phones
select tests.person('maya', 3), tests.person('jonas');
select tests.log_in_as('nina', 'staff_support');
create function pg_temp.finds(p_query text)
returns setof text
language sql
as $$ select username::text from staff.find_accounts(p_query) $$;
select results_eq(format('select pg_temp.finds(%L)', query), array['maya'], 'maya is found by ' || what)
from (values (tests.id('maya')::text, 'her id'), (tests.phone_of('maya'), 'her whole phone'), (' @Maya ', 'her username')) as way (query, what);
select is_empty(format('select pg_temp.finds(%L)', left(tests.phone_of('maya'), -1)), 'by a part of her phone she is not');
select pg_temp.finds('tel:' || tests.phone_of('maya')), pg_temp.finds('Maya, ' || tests.phone_of('maya'));
select pg_temp.finds(substr(tests.phone_of('maya'), 2)), pg_temp.finds(' ' || substr(tests.phone_of('maya'), 2));
select is_empty($$ select pg_temp.finds('%') $$, 'nor by a pattern');
select is(phone_hint, left(tests.phone_of('maya'), 3) || '…' || right(tests.phone_of('maya'), 2), 'her phone is hidden')
from staff.accounts where username = 'maya';
reset session authorization;
select is(count(*), 9::bigint, 'each look is written down') from tests.audited('find_accounts');
select is_empty(
  $$ select from staff.audit_log where details::text ~ right(tests.phone_of('maya'), 6) $$, 'but no phone, however it is written'
);

rollback to empty;

-- restore_hub: has an admin
select tests.elm();
select tests.hub('oak', 'lena');
select tests.log_in_as('nina', 'staff_moderator');
select staff.suspend_hub(tests.id('elm'), 'hate'), staff.suspend_hub(tests.id('oak'), 'hate');
reset session authorization;
select app.end_user(tests.id('amara')), app.end_user(tests.id('lena'));
select is_empty($$ select from app.suspended_memberships where user_id = tests.id('amara') $$, 'who ends their account does not come back');
set local session authorization nina;
select staff.restore_hub(tests.id('elm'), 'a mistake'), staff.restore_hub(tests.id('oak'), 'a mistake');
reset session authorization;
select results_eq(
  $$ select user_id from app.memberships where hub_id = tests.id('elm') and role = 'admin' $$, array[tests.id('maya')], 'another admin follows'
);
select isnt(closed_at, null, 'where nobody is left it closes') from app.hubs where id = tests.id('oak');
select is(closed_at, null, 'and nowhere else') from app.hubs where id = tests.id('elm');

rollback to empty;

-- suspend_hub: takes its members aside
select tests.elm();
select tests.post('in elm', 'maya', 'private_locked_hub'), tests.placed('in elm', 'elm');
create temporary table before as select user_id, role, joined_at from app.memberships where hub_id = tests.id('elm');
select tests.link('door', 'elm');
create function pg_temp.sees(p_viewer text)
returns text[]
language plpgsql
as $$
declare
  v_seen text[];
begin
  perform tests.authenticate_as(p_viewer);
  v_seen := array(
    select 'hub' from app.hubs where id = tests.id('elm')
    union all select 'post' from app.posts where id = tests.id('in elm')
    union all select 'member' from app.memberships where hub_id = tests.id('elm') and user_id = tests.id('maya')
  );
  perform set_config('role', 'none', true);
  return v_seen;
end
$$;
select is(pg_temp.sees('jonas'), array['hub', 'post', 'member'], 'jonas is a member');

select tests.log_in_as('nina', 'staff_moderator');
select staff.suspend_hub(tests.id('elm'), 'hate');
select throws_ok(format('select staff.suspend_hub(%L, %L)', tests.id('elm'), 'hate'), 'PT404', 'HUB_NOT_FOUND', 'once');
reset session authorization;
select is(pg_temp.sees('jonas'), '{}', 'for him it is not there');
select is(pg_temp.sees('maya'), array['post'], 'nor for maya, but her own post');
select throws_ok(
  format('select app.link_of(%L)', tests.hash('door')), 'PT404', 'INVITE_LINK_NOT_FOUND', 'no link leads there'
);
select is_empty($$ select from app.find_hubs('elm', app.decode_hit(null), 9) $$, 'no search finds it');
select is(member_count, 0, 'it has no members') from app.hubs where id = tests.id('elm');
select is(closed_at, null, 'though it is not closed') from app.hubs where id = tests.id('elm');

set local session authorization nina;
select staff.restore_hub(tests.id('elm'), 'a mistake');
select throws_ok(format('select staff.restore_hub(%L, %L)', tests.id('elm'), 'again'), 'PT404', 'HUB_NOT_FOUND', 'only one that is suspended can be restored');
reset session authorization;
select bag_eq(
  $$ select user_id, role, joined_at from app.memberships where hub_id = tests.id('elm') $$, 'select * from before',
  'restored, all are what they were'
);
select is_empty('select from app.suspended_memberships', 'and nobody waits');
select is(member_count, 3, 'all three of them') from app.hubs where id = tests.id('elm');
select is(pg_temp.sees('jonas'), array['hub', 'post', 'member'], 'and see what they saw');

rollback to empty;

-- suspend_user: takes somebody off the stage
select tests.elm();
select tests.session('maya');
select tests.post('trams', 'maya'), tests.post('buses', 'jonas'), tests.comment('hers', 'maya', 'buses'), tests.device_token('phone', 'maya');
select tests.report('jonas', p_user => 'maya');
create function pg_temp.sees(p_viewer text)
returns text[]
language plpgsql
as $$
declare
  v_seen text[];
begin
  perform tests.authenticate_as(p_viewer);
  v_seen := array(
    select 'post' from app.posts where author_id = tests.id('maya')
    union all select 'comment' from app.comments where author_id = tests.id('maya')
    union all select 'profile' from app.profiles where user_id = tests.id('maya')
  );
  perform set_config('role', 'none', true);
  return v_seen;
end
$$;
select is(pg_temp.sees('jonas'), array['post', 'comment', 'profile'], 'before, jonas sees what she says');

select tests.log_in_as('nina', 'staff_moderator');
select staff.suspend_user(tests.id('maya'), 'spam');
select throws_ok(format('select staff.suspend_user(%L, %L)', tests.id('nobody'), 'spam'), 'PT404', 'USER_NOT_FOUND', 'nobody else can be');
select throws_ok(format('select staff.suspend_user(%L, null)', tests.id('jonas')), 'PT422', 'REASON_MISSING', 'and none without a reason');
select isnt(suspended_at, null, 'staff sees that she is') from staff.accounts where username = 'maya';
reset session authorization;
select is(pg_temp.sees('jonas'), '{}', 'then nothing of it');
select is_empty($$ select from app.sessions where user_id = tests.id('maya') $$, 'her sessions have ended');
select is_empty($$ select from app.device_tokens where user_id = tests.id('maya') $$, 'her phone is told of nothing');
select throws_ok(format('select app.open_session(%L, %L)', tests.id('maya'), '{"deviceKind": "ios"}'), 'PT403', 'ACCOUNT_SUSPENDED', 'and she cannot sign in');
select is_empty($$ select from app.reports where state = 'open' $$, 'the report of her is closed');

set local session authorization nina;
select staff.restore_user(tests.id('maya'), 'a mistake');
select throws_ok(format('select staff.restore_user(%L, %L)', tests.id('maya'), 'again'), 'PT404', 'USER_NOT_FOUND', 'only whoever is suspended can be restored');
reset session authorization;
select is(pg_temp.sees('jonas'), array['post', 'comment', 'profile'], 'restored, all is there again');
select results_eq(
  $$ select details ->> 'reason' from tests.audited('suspend_user') as details union all select details ->> 'reason' from tests.audited('restore_user') as details $$,
  array['spam', 'a mistake'], 'it is written down why'
);

rollback to empty;

-- unmask_phone: is written down first
select tests.person('maya', 3);
create function pg_temp.unmask(p_name text default 'maya', p_reason text default 'she has called')
returns text
language sql
as $$ select staff.unmask_phone(tests.id(p_name), p_reason) $$;
select tests.log_in_as('nina', 'staff_support');
select throws_ok($$ select pg_temp.unmask(p_reason => ' ') $$, 'PT422', 'REASON_MISSING', 'a phone is shown for a reason');
select throws_ok($$ select pg_temp.unmask('none') $$, 'PT404', 'USER_NOT_FOUND', 'and of somebody');
savepoint asked;
select matches(pg_temp.unmask(), '^Written down', 'it is not told in a transaction that may be rolled back');
release savepoint asked;
select matches(pg_temp.unmask(), '^Written down', 'though it is asked for twice');
reset session authorization;
update staff.audit_log set occurred_at = occurred_at - interval '1 minute';
set local session authorization nina;
select is(pg_temp.unmask(), tests.phone_of('maya'), 'but in a later one');
reset session authorization;
select tests.log_in_as('olga', 'staff_support');
select matches(pg_temp.unmask(), '^Written down', 'to her who has asked');
reset session authorization;
select results_eq(
  $$ select details ->> 'by', details ->> 'userId', details ->> 'reason' from tests.audited('unmask_phone') as details $$,
  $$ select by, tests.id('maya')::text, 'she has called' from unnest(array['nina', 'nina', 'nina', 'olga']) as by $$, 'and each time is written down'
);

select * from finish();
rollback;
