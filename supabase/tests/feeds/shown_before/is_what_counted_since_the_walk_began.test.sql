select plan(10);

select tests.elm();
select tests.hub('ash', 'lena');
select tests.post('trams', 'lena');
delete from app.feed_events;
select tests.follow('maya', 'lena');

-- The walk is five minutes deep; an event counts from p_at on until p_lost_by, which begins after it unless it is 3.
create function pg_temp.is_shown(p_actor text, p_at timestamptz, p_kind app.feed_event_kind default 'voted', p_hub text default null, p_lost_by xid8 default null)
returns boolean
language plpgsql
as $$
declare
  v_is_shown boolean;
begin
  insert into app.feed_events (hub_id, actor_id, post_id, kind, occurred_at, lost_at, lost_by)
  values (
    tests.id(p_hub), tests.id(p_actor), tests.id('trams'), p_kind, p_at, case when p_lost_by is not null then app.now() end, p_lost_by
  );
  perform tests.act_as('maya');
  v_is_shown := app.shown_before(tests.ids('trams', 'bikes'), tests.behind(tests.ago(5), 'trams', '10:10:')) = tests.ids('trams');
  perform set_config('role', 'none', true);
  delete from app.feed_events;
  return v_is_shown;
end
$$;

select ok(pg_temp.is_shown('lena', tests.ago(4)), 'what something newer has brought up');
select ok(pg_temp.is_shown('lena', tests.ago(5)), 'or what is at the very place');
select ok(not pg_temp.is_shown('lena', tests.ago(6)), 'not what is older');
select ok(not pg_temp.is_shown('lena', app.now() + interval '1 second'), 'nor what does not count yet');
select ok(pg_temp.is_shown('lena', tests.ago(4), p_lost_by => '12'), 'what was lost after the walk began has been shown');
select ok(not pg_temp.is_shown('lena', tests.ago(4), p_lost_by => '9'), 'what was lost before has not');
select ok(not pg_temp.is_shown('amara', tests.ago(4)), 'nor what others did');
select ok(pg_temp.is_shown('amara', tests.ago(4), p_hub => 'elm') and not pg_temp.is_shown('amara', tests.ago(4), p_hub => 'ash'), 'but in Hubs of one''s own');
select ok(not pg_temp.is_shown('maya', tests.ago(4), p_hub => 'elm'), 'nor what one did oneself');

select tests.did('voted', 'lena', 'trams', tests.ago(4));
select tests.act_as('maya');
select is(app.shown_before(tests.ids('bikes'), tests.behind(tests.ago(5))), '{}', 'it is said of the posts that are asked for');

select * from finish();
