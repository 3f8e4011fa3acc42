select plan(9);

select tests.elm();
select tests.post('trams', 'lena');
insert into app.users (id) select tests.id('voter ' || n) from generate_series(1, 250) as n;
delete from app.feed_events;
insert into app.feed_events (actor_id, post_id, kind, occurred_at)
select tests.id('voter ' || n), tests.id('trams'), 'voted', tests.ago(1) from generate_series(1, 250) as n;

create function pg_temp.shown(p_at timestamptz default tests.ago(5))
returns uuid[]
language plpgsql
as $$
declare
  v_shown uuid[];
begin
  perform tests.act_as('maya');
  v_shown := app.shown_before(tests.ids('trams'), tests.behind(p_at, 'trams', '10:10:'));
  perform set_config('role', 'none', true);
  return v_shown;
end
$$;
create function pg_temp.is_shown(p_at timestamptz default tests.ago(5))
returns boolean
language sql
return pg_temp.shown(p_at) = tests.ids('trams');

select ok(not pg_temp.is_shown(), 'what many others do shows one nothing');
select tests.did('voted', 'jonas', 'trams', tests.ago(4));
select ok(pg_temp.is_shown(), 'what a source did among them does');
select ok(pg_temp.is_shown(tests.ago(4)) and not pg_temp.is_shown(tests.ago(3)), 'if it is newer');
update app.feed_events set occurred_at = app.now() + interval '1 second' where actor_id = tests.id('jonas');
select ok(not pg_temp.is_shown(), 'and counts yet');
insert into app.blocks (blocker_id, blocked_id, created_at) values (tests.id('jonas'), tests.id('maya'), app.now() + interval '1 second');
update app.feed_events set occurred_at = tests.ago(4) where actor_id = tests.id('jonas');
select ok(pg_temp.is_shown(), 'whom one has blocked since');
update app.blocks set created_at = tests.ago(1);
select ok(not pg_temp.is_shown(), 'and not before');

delete from app.feed_events where actor_id = tests.id('jonas');
select tests.did('voted', 'maya', 'trams', tests.ago(4));
select ok(not pg_temp.is_shown(), 'what one did oneself does not');
select tests.post('bikes', 'amara');
select is(pg_temp.shown(), '{}', 'nor what was done with another post');
select tests.did('commented', 'amara', 'trams', app.now());
update app.feed_events set lost_at = app.now(), lost_by = '12' where kind = 'commented';
select ok(pg_temp.is_shown(), 'what was lost since is looked for among the newest');

select * from finish();
