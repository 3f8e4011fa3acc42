select plan(9);

select tests.elm();
select tests.person('noor', 4);
insert into app.memberships (hub_id, user_id, role) values (tests.id('elm'), tests.id('noor'), 'member');
select tests.post('trams', 'lena');
select tests.placed('trams', 'elm', tests.ago(9), 'shared', 'jonas');
delete from app.events;
create function pg_temp.share(p_who text)
returns text
language plpgsql
as $$
begin
  perform tests.act_as(p_who);
  perform api.share_to_hubs(tests.arguments('trams') || jsonb_build_object('hubIds', jsonb_build_array(tests.id('elm'))));
  perform set_config('role', 'none', true);
  return (select concat_ws(' ', p.placed_at - app.now(), p.last_shared_at - app.now()) from app.placements as p);
end
$$;
create function pg_temp.shares()
returns setof text
language sql
as $$
  select concat_ws(' ', actor.username, e.occurred_at - now(), case when e.lost_at is not null then 'before' end)
  from app.feed_events as e
  join app.profiles as actor on actor.user_id = e.actor_id
  where e.kind = 'shared_to_hub'
$$;
select is(pg_temp.share('jonas'), '-00:09:00 -00:09:00', 'whoever shared it last changes nothing');
select is(pg_temp.share('noor'), '-00:09:00 00:00:00', 'another member moves it up; it is there since the first share');
select set_eq('select pg_temp.shares()', array['jonas -00:09:00', 'noor 00:00:00'], 'both shares are in the stream of the Hub');
select app.set_clock_offset('1 minute');
select is(pg_temp.share('jonas'), '-00:10:00 00:00:00', 'the first member may move it up again then');
select set_eq('select pg_temp.shares()', array['jonas 00:01:00', 'jonas -00:09:00 before', 'noor 00:00:00'], 'and walks under way know when they shared it before');
select is_empty('select from app.events', 'nobody is notified');
select app.set_clock_offset('2 minutes');
update app.feed_events set actor_id = null where kind = 'shared_to_hub';
select is(pg_temp.share('jonas'), '-00:11:00 00:00:00', 'where the last member''s account has gone anybody moves it up');
select set_eq(
  $$ select tests.who_may('update app.placements set last_shared_at = default') $$, array['authenticated'], 'members share again'
);
select tests.act_as('amara');
update app.placements set last_shared_at = app.now() + interval '1 year';
reset role;
select is(last_shared_at, app.now(), 'a member cannot choose the time') from app.placements;

select * from finish();
