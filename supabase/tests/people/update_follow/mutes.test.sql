select plan(6);

select tests.person(name) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.follow('maya', 'jonas');
select tests.follow('maya', 'lena');
select tests.follow('lena', 'jonas');

create function pg_temp.mute(p_name text, p_is_muted boolean)
returns jsonb
language sql
return api.update_follow(tests.user(p_name) || jsonb_build_object('publicPostsMuted', p_is_muted));

create function pg_temp.muted()
returns setof text
language sql
as $$
  select one.username || ' > ' || other.username
  from app.follows as f
  join app.profiles as one on one.user_id = f.follower_id
  join app.profiles as other on other.user_id = f.followee_id
  where f.is_muted
$$;

select tests.act_as('maya');
select is(pg_temp.mute('jonas', true), '{"publicPostsMuted": true}', 'the setting is told');
select set_eq('select pg_temp.muted()', array['maya > jonas'], 'and kept, for the caller''s follow of this person');
select is(pg_temp.mute('jonas', false), '{"publicPostsMuted": false}', 'it may be taken back');
select is_empty('select pg_temp.muted()', 'it is');
select pg_temp.mute('jonas', true);
select api.unfollow_user(tests.user('jonas'));
select api.follow_user(tests.user('jonas'));
select is_empty('select pg_temp.muted()', 'a new follow begins unmuted');
select is(count(*)::integer, 3, 'no follow is another''s') from app.follows;

select * from finish();
