begin;
select plan(31);
savepoint empty;

-- delete_post: is for its author
select tests.person('anonymous', 1);
select tests.person('maya', 4);
select tests.person('jonas', 4);
select tests.post('trams', 'maya');
select tests.post('locked', 'maya', 'private_locked_hub');

select tests.authenticate_as('jonas');
select throws_ok($$ select api.delete_post(tests.arguments('trams')) $$, 'PT403', 'FORBIDDEN', 'nobody else deletes it');
select throws_ok($$ select api.delete_post(tests.arguments('locked')) $$, 'PT404', 'POST_NOT_FOUND', 'nor learns of one hidden from them');
select throws_ok($$ select api.delete_post(tests.arguments('unknown')) $$, 'PT404', 'POST_NOT_FOUND', 'just as of one that never was');
select tests.authenticate_as('anonymous');
select throws_ok($$ select api.delete_post(tests.arguments('unknown')) $$, 'PT404', 'POST_NOT_FOUND', 'whoever asks');
select tests.authenticate_as_guest();
select throws_ok($$ select api.delete_post(tests.arguments('trams')) $$, '42501', null, 'a guest deletes none');
reset role;
select is(count(*)::integer, 2, 'both posts are there') from app.posts;

create function pg_temp.skip() returns trigger language plpgsql as 'begin return null; end';
create trigger quicker before delete on app.posts for each row execute function pg_temp.skip();
select tests.authenticate_as('maya');
select throws_ok($$ select api.delete_post(tests.arguments('trams')) $$, 'PT404', 'POST_NOT_FOUND', 'an author whose other device was quicker finds none');

rollback to empty;

-- delete_post: takes everything along
select tests.person('maya', 3);
select tests.article('about trams', 'maya');
insert into app.posts (id, author_id, article_id, slider_text, left_label, right_label, visibility)
values (tests.id('trams'), tests.id('maya'), tests.id('about trams'), 'More trams?', 'No', 'Yes', 'public');
select tests.vote('maya', 'trams', 'right');
select tests.illustrated_post('kept', 'maya', 'picture') from tests.asset('picture', 'maya');

select tests.person('jonas', 3);
select tests.comment('hello', 'jonas', 'trams');
select tests.feed_share('jonas', 'trams');
select tests.repost('repost', 'jonas', 'trams');
insert into app.saved_posts (user_id, post_id) values (tests.id('jonas'), tests.id('trams'));
insert into app.reports (reporter_id, post_id, reason) values (tests.id('jonas'), tests.id('trams'), 'spam');

select tests.authenticate_as('maya');
select is(api.delete_post(tests.arguments('trams')), '{}', 'an author deletes their post');
reset role;
select set_eq(
  'select id, source_post_id from app.posts', $$ values (tests.id('repost'), tests.id('trams')), (tests.id('kept'), null) $$, 'the post is gone; a repost stays one'
);
select results_eq('select id from app.articles', array[tests.id('article of kept')], 'with its article');
select is_empty('select from app.vote_receipts', 'its receipts');
select is_empty('select from app.vote_pools', 'and its pools');

select is_empty('select from app.comments', 'what was said under it');
select is_empty('select from app.feed_shares union all select from app.saved_posts', 'where it was shared and saved');
select results_eq('select post_id from app.reports', tests.ids('trams'), 'but not that it was reported');
select is_empty($$ select from app.feed_events where post_id = tests.id('trams') $$, 'its place in feeds');
select is_empty($$ select from app.score_changes union all select from app.trending_scores union all select from app.events where post_id = tests.id('trams') $$, 'and all news of it');

select isnt_empty('select from app.assets', 'another post keeps what it has');

rollback to empty;

-- lock_post: finds what has gone
select tests.elm();
select tests.post('trams', 'jonas');
create function pg_temp.refusal(p_statement text)
returns text
language sql
return tests.error_of(format(p_statement, tests.id('unknown'))) ->> 'code';

select is(pg_temp.refusal($$ insert into app.comments (post_id, author_id, body) values (%L, tests.id('jonas'), 'Hello') $$), 'POST_NOT_FOUND', 'a comment');
select is(pg_temp.refusal($$ insert into app.feed_shares (post_id, user_id) values (%L, tests.id('jonas')) $$), 'POST_NOT_FOUND', 'a share');
select is(pg_temp.refusal($$ insert into app.placements (post_id, hub_id) values (%L, tests.id('elm')) $$), 'POST_NOT_FOUND', 'a place');
select is(
  pg_temp.refusal($$ insert into app.posts (source_post_id, author_id, thought_text, visibility) values (%L, tests.id('jonas'), 'Again', 'public') $$), 'POST_NOT_FOUND', 'a repost'
);
select is(pg_temp.refusal($$ select tests.repost('again', 'jonas', 'trams') where %L is not null $$), null, 'of what is there they are');
select is(
  tests.error_of($$ insert into app.comments (post_id, author_id, body) values (null, tests.id('jonas'), 'Hello') $$) ->> 'code', 'POST_NOT_FOUND', 'of nothing none is'
);

rollback to empty;

-- record_withdrawals: takes reposts back
select tests.elm();
select tests.post('trams', 'lena');
select tests.post('bikes', 'lena');
select app.set_clock_offset('1 hour');
select tests.repost('first', 'jonas', 'trams');
select app.set_clock_offset('2 hours');
select tests.repost('second', 'jonas', 'trams');
select tests.repost('of maya', 'maya', 'trams');
select tests.repost('other', 'jonas', 'bikes');
update app.posts set created_at = app.now() where id = tests.id('second');
select app.set_clock_offset('3 hours');
create temporary table before as table app.trending_scores;

create function pg_temp.reposts(p_name text)
returns setof text
language sql
as $$
  select concat_ws(' ', coalesce(e.hub_id::text, 'own'), actor.username, e.occurred_at - now())
  from app.feed_events as e
  join app.profiles as actor on actor.user_id = e.actor_id
  where e.post_id = tests.id(p_name) and e.kind = 'reposted' and e.lost_at is null and e.hub_id is null
$$;

delete from app.posts where id = tests.id('second');
select set_eq(
  $$ select pg_temp.reposts('trams') $$, array['own jonas 01:00:00', 'own maya 02:00:00'], 'the original is where the repost before put it'
);
select results_eq(
  $$ select lost_at from app.feed_events where post_id = tests.id('trams') and actor_id = tests.id('jonas') and lost_at is not null group by lost_at $$,
  'values (app.now())', 'since now'
);
delete from app.posts where id in (tests.id('first'), tests.id('other'));
select set_eq($$ select pg_temp.reposts('trams') $$, array['own maya 02:00:00'], 'with the last one of somebody it is there for them no more');
select is_empty($$ select pg_temp.reposts('bikes') $$, 'of each');
select results_eq(
  'select id, repost_count from app.posts where source_post_id is null order by thought_text', $$ values (tests.id('bikes'), 0), (tests.id('trams'), 1) $$,
  'originals count what is left'
);
select set_eq('table app.trending_scores', 'table before', 'trending scores keep what was deleted');
delete from app.posts where id = tests.id('trams');
delete from app.posts where id = tests.id('of maya');
select is(count(*), 1::bigint, 'a repost goes after its original as well') from app.posts;

select * from finish();
rollback;
