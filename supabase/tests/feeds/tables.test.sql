begin;
select plan(22);
savepoint empty;

-- default_feed_users: are chosen by staff
select tests.person('maya', 3);
insert into app.default_feed_users (user_id) values (tests.id('maya'));
select tests.person('jonas', 3);

select tests.authenticate_as_guest();
select results_eq('select user_id from app.default_feed_users', array[tests.id('maya')], 'everybody may read who they are');
select tests.authenticate_as('jonas');
select throws_ok($$ insert into app.default_feed_users (user_id) values (tests.id('jonas')) $$, '42501', null, 'nobody puts themselves in');
select throws_ok('delete from app.default_feed_users', '42501', null, 'nor others out');
select throws_ok('update app.default_feed_users set added_at = added_at', '42501', null, 'nor changes one');

rollback to empty;

-- feed_events: go with their hub
select tests.elm();
select tests.post('trams', 'maya');
delete from app.hubs where id = tests.id('elm');
select results_eq('select source_id from app.feed_events where lost_at is null', tests.ids('maya'), 'what remains is in her own stream');

rollback to empty;

-- feed_events: hold to their rules
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

rollback to empty;

-- feed_events: show themselves to nobody
select is_empty($$ select tests.who_may('select from app.feed_events') $$, 'nobody reads who did what');
select is_empty($$ select tests.who_may('insert into app.feed_events default values') $$, 'writes it');
select is_empty($$ select tests.who_may('update app.feed_events set lost_at = lost_at') $$, 'changes it');
select is_empty($$ select tests.who_may('delete from app.feed_events') $$, 'or removes it');

rollback to empty;

-- former_sources: show themselves to nobody
select is_empty($$ select tests.who_may('select from app.former_sources') $$, 'nobody reads whom somebody followed');
select is_empty($$ select tests.who_may('insert into app.former_sources default values') $$, 'writes it');
select is_empty($$ select tests.who_may('delete from app.former_sources') $$, 'or removes it');
select tests.person(name) from unnest(array['maya', 'jonas']) as name;
select tests.follow('maya', 'jonas');
select tests.follow('jonas', 'maya');
delete from app.follows;
delete from app.users where id = tests.id('maya');
select results_eq('select user_id from app.former_sources', tests.ids('jonas'), 'it goes with who did');
select results_eq('select source_id from app.former_sources', tests.ids('maya'), 'and not with whom they followed');

select * from finish();
rollback;
