select plan(8);

select tests.elm();
select tests.post('trams', 'lena');
select tests.post('bikes', 'lena');
delete from app.feed_events;

create function pg_temp.violation(p_hub text, p_actor text, p_lost_at timestamptz default null, p_lost_by xid8 default null)
returns text
language sql
return tests.violation_of(format(
  'insert into app.feed_events (hub_id, actor_id, post_id, kind, occurred_at, lost_at, lost_by) values (%L, %L, %L, ''voted'', app.now(), %L, %L)',
  tests.id(p_hub), tests.id(p_actor), tests.id('trams'), p_lost_at, p_lost_by
));

select is(pg_temp.violation(null, null), 'feed_events_have_a_source', 'each is in somebody''s stream');
select is(pg_temp.violation('elm', 'maya', app.now()), 'feed_events_are_lost_by_somebody', 'what is lost was lost by somebody');
select is(pg_temp.violation('elm', 'maya', p_lost_by => '3'), 'feed_events_are_lost_by_somebody', 'at some time');
select tests.did('voted', 'maya', 'trams');
select is(pg_temp.violation('elm', 'maya'), 'feed_events_act_key', 'there is one of a kind, of somebody, in a stream');
select set_eq('select source_id from app.feed_events', tests.ids('elm', 'maya'), 'which is the Hub''s if it is in one, else theirs');
update app.feed_events set lost_at = app.now(), lost_by = '3';
select is(pg_temp.violation('elm', 'maya'), null, 'but for what is lost');
select tests.did('voted', 'jonas', 'bikes');
delete from app.posts where id = tests.id('trams');
select set_eq('select post_id from app.feed_events', tests.ids('bikes'), 'it goes with its post');
delete from app.memberships where user_id = tests.id('jonas');
delete from app.users where id = tests.id('jonas');
select is_empty('select from app.feed_events', 'and with who did it');

select * from finish();
