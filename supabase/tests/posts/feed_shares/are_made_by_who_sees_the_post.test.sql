select plan(18);

select tests.elm();
select tests.post('trams', 'lena');
select tests.post('hidden', 'lena', 'private_locked_hub');
select tests.discussion('locked', 'jonas', 'elm');

create function pg_temp.share(p_caller text, p_user text, p_post text)
returns text
language sql
return tests.refusal_of(p_caller, format('insert into app.feed_shares (user_id, post_id) values (%L, %L)', tests.id(p_user), tests.id(p_post)));

select is(pg_temp.share('maya', 'maya', 'trams'), null, 'one shares for oneself');
select is(pg_temp.share('maya', 'jonas', 'trams'), '42501', 'and for nobody else');
select is(pg_temp.share('maya', 'maya', 'locked'), null, 'what one sees');
select is(pg_temp.share('maya', 'maya', 'hidden'), '42501', 'and nothing else');
select is(pg_temp.share('lena', 'lena', 'trams'), null, 'one''s own as well');
select is(pg_temp.share(null, 'maya', 'trams'), '42501', 'guests share nothing');
select tests.act_as('maya');
update app.feed_shares set id = tests.id('other');
reset role;
select set_eq(
  $$ select user_id, post_id from app.feed_shares where id = tests.id('other') $$,
  $$ values (tests.id('maya'), tests.id('trams')), (tests.id('maya'), tests.id('locked')) $$, 'one shares again what one has shared oneself'
);
select is_empty($$ select tests.who_may('insert into app.feed_shares (user_id, post_id, shared_at) values (null, null, null)') $$, 'now');
select is_empty($$ select tests.who_may('update app.feed_shares set shared_at = shared_at') $$, 'and at no other time');
select is_empty($$ select tests.who_may('update app.feed_shares set post_id = post_id') $$, 'the same post');
select is_empty($$ select tests.who_may('update app.feed_shares set user_id = user_id') $$, 'oneself');
select is_empty($$ select tests.who_may('delete from app.feed_shares') $$, 'nobody takes one back');
select is(
  tests.violation_of($$ insert into app.feed_shares (user_id, post_id) values (tests.id('maya'), tests.id('trams')) $$), 'feed_shares_pkey', 'each post is there once'
);
select tests.act_as('jonas');
select bag_eq('select post_id from app.feed_shares', tests.ids('trams', 'trams', 'locked'), 'others see shares of posts that they see');
select tests.act_as('lena');
select bag_eq('select post_id from app.feed_shares', tests.ids('trams', 'trams'), 'alone');
select tests.act_as_guest();
select bag_eq('select post_id from app.feed_shares', tests.ids('trams', 'trams'), 'guests too');
reset role;
select app.end_user(tests.id('maya'));
select tests.act_as_guest();
select results_eq('select user_id from app.feed_shares', tests.ids('lena'), 'but not those of an ended account');
reset role;
delete from app.posts where id = tests.id('trams');
select results_eq('select post_id from app.feed_shares', tests.ids('locked'), 'one goes with its post');

select * from finish();
