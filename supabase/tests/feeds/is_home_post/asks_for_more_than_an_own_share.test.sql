select plan(6);

select tests.elm();
select tests.person('stranger', 3);
select tests.follow('maya', 'lena');
select tests.post(name, 'stranger') from unnest(array['shared', 'voted', 'other', 'strange']) as name;
select tests.post('own', 'maya');
delete from app.feed_events;
insert into app.feed_events (hub_id, actor_id, post_id, kind, occurred_at)
values (tests.id('elm'), tests.id('maya'), tests.id('shared'), 'shared_to_hub', tests.ago(4));
select tests.did('targeted', 'lena', 'voted', tests.ago(3));
select tests.did('voted', 'stranger', 'strange', tests.ago(3));

create function pg_temp.is_home(p_post text, p_place app.feed_place default tests.behind())
returns boolean
language plpgsql
as $$
declare
  v_is_home boolean;
begin
  perform set_config('request.jwt.claims', jsonb_build_object('sub', tests.id('maya'), 'role', 'authenticated')::text, true);
  v_is_home := app.is_home_post(tests.id(p_post), p_place);
  return v_is_home;
end
$$;

select ok(not pg_temp.is_home('shared'), 'an own share alone does not bring a post there, whatever else is there');
select ok(pg_temp.is_home('voted'), 'what a person followed did does');
select ok(not pg_temp.is_home('strange'), 'what somebody else did does not');
select ok(pg_temp.is_home('own'), 'having published it does');

create function pg_temp.walk(p_part text)
returns app.feed_place
language plpgsql
as $$
declare
  v_place app.feed_place := tests.behind(p_part => p_part);
begin
  v_place.began_at := tests.ago(5);
  return v_place;
end
$$;
select ok(pg_temp.is_home('voted', pg_temp.walk('recent')), 'in a recent feed what was done since the walk began counts');
select ok(not pg_temp.is_home('voted', pg_temp.walk('quiet')), 'in the quiet part of a trending feed it does not');

select * from finish();
