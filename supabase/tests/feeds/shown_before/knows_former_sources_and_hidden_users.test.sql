select plan(12);

select tests.elm();
select tests.hub('ash', 'lena');
select tests.post('trams', 'lena');
delete from app.feed_events;
select tests.follow('maya', 'lena');
select tests.did('voted', 'lena', 'trams', tests.ago(4));
insert into app.feed_events (hub_id, actor_id, post_id, kind, occurred_at) values (tests.id('ash'), tests.id('jonas'), tests.id('trams'), 'voted', tests.ago(4));

create function pg_temp.is_shown(p_began_at timestamptz default app.now())
returns boolean
language plpgsql
as $$
declare
  v_is_shown boolean;
begin
  perform tests.act_as('maya');
  v_is_shown := app.shown_before(tests.ids('trams'), (tests.ago(5), tests.id('trams'), p_began_at, '10:10:', 'recent', '')::app.feed_place) = tests.ids('trams');
  perform set_config('role', 'none', true);
  return v_is_shown;
end
$$;

select ok(pg_temp.is_shown(), 'of whom one follows');
delete from app.follows;
update app.former_sources set ended_by = '12';
select ok(pg_temp.is_shown(), 'or followed when the walk began');
update app.former_sources set ended_by = '9';
select ok(not pg_temp.is_shown(), 'not whom one had followed before');
update app.former_sources set source_id = tests.id('ash'), ended_by = '12';
select ok(pg_temp.is_shown(), 'of Hubs one was in as well');
update app.former_sources set user_id = tests.id('amara');
select ok(not pg_temp.is_shown(), 'but not of those that others were in');

select tests.follow('maya', 'lena');
insert into app.blocks (blocker_id, blocked_id, created_at) values (tests.id('lena'), tests.id('maya'), tests.ago(5));
select ok(not pg_temp.is_shown(), 'of somebody who had blocked one nothing was shown');
select ok(not pg_temp.is_shown(tests.ago(5)), 'at that moment either');
select ok(pg_temp.is_shown(tests.ago(6)), 'but if they did so later');
delete from app.blocks;
insert into app.departures (user_id, departed_at) values (tests.id('lena'), tests.ago(5));
select ok(not pg_temp.is_shown(), 'nor of who had left');
delete from app.feed_events;
select tests.placed('trams', 'elm', tests.ago(4));
select ok(pg_temp.is_shown(), 'what they had placed in a Hub was');
update app.feed_events set kind = 'shared_to_hub';
select ok(pg_temp.is_shown(), 'onward too');
select set_eq(
  $$ select tests.who_may('select app.shown_before(''{}'', tests.behind())') $$, array['authenticated'], 'a guest walks through nothing of the sort'
);

select * from finish();
