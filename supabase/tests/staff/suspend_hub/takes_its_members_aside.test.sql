select plan(13);

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
  perform tests.act_as(p_viewer);
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

select * from finish();
