begin;
select plan(38);
savepoint empty;

-- Only the author deletes a post (docs/product.md PO18).
select tests.person('anonymous', 1);
select tests.person('maya', 4);
select tests.person('jonas', 4);
select tests.post('trams', 'maya');
select tests.post('locked', 'maya', 'private_locked_hub');

create function pg_temp.refusal(p_caller text, p_post text)
returns text
language sql
return tests.refusal_as(p_caller, format('select api.delete_post(%L)', tests.post_args(p_post)));

select is(pg_temp.refusal(caller, post), expected, title)
from (
  values
    ('jonas', 'trams', 'PT403 FORBIDDEN', 'a person cannot delete the post of another author'),
    ('jonas', 'locked', 'PT404 POST_NOT_FOUND', 'delete_post does not reveal a hidden post'),
    ('jonas', 'unknown', 'PT404 POST_NOT_FOUND', 'delete_post finds no unknown post'),
    ('anonymous', 'unknown', 'PT404 POST_NOT_FOUND', 'delete_post requires no more than level 1')
) as c (caller, post, expected, title);

create function pg_temp.skip() returns trigger language plpgsql as 'begin return null; end';
create trigger concurrent_deletion before delete on app.posts for each row execute function pg_temp.skip();
select is(
  pg_temp.refusal('maya', 'trams'), 'PT404 POST_NOT_FOUND',
  'an author whose post is deleted concurrently gets POST_NOT_FOUND'
);

rollback to empty;

-- restore_post restores only what staff has removed.
select tests.person('maya'), tests.person('jonas');
select tests.post('trams', 'maya'), tests.repost('again', 'jonas', 'trams');
select is(app.restore_post(tests.id('again')), false, 'restore_post returns false for a post that is not removed');
select is(
  repost_count, 1, 'restore_post counts a repost that is not removed no second time'
) from app.posts where id = tests.id('trams');

rollback to empty;

-- Deleting a post deletes what belongs to it (docs/product.md PO18).
select tests.person('maya', 3);
select tests.article('about trams', 'maya');
insert into app.posts (id, author_id, article_id, slider_text, left_label, right_label, visibility)
values (tests.id('trams'), tests.id('maya'), tests.id('about trams'), 'More trams?', 'No', 'Yes', 'public');
select tests.vote('maya', 'trams', 'right');
select tests.fold();
select tests.post_with_media('kept', 'maya', 'picture') from tests.asset('picture', 'maya');

select tests.person('jonas', 3);
select tests.comment('hello', 'jonas', 'trams');
select tests.feed_share('jonas', 'trams');
select tests.repost('repost', 'jonas', 'trams');
insert into app.saved_posts (user_id, post_id) values (tests.id('jonas'), tests.id('trams'));
insert into app.reports (reporter_id, post_id, reason) values (tests.id('jonas'), tests.id('trams'), 'spam');

select tests.authenticate_as('maya');
select is(api.delete_post(tests.post_args('trams')), '{}', 'an author deletes their own post');
reset role;
select set_eq(
  'select id, source_post_id from app.posts',
  $$ values (tests.id('repost'), tests.id('trams')), (tests.id('kept'), null) $$,
  'deleting a post keeps its reposts and their source'
);
select results_eq(
  'select id from app.articles', array[tests.id('article of kept')], 'deleting a post deletes its article and no other'
);
select is_empty(
  format($$ select from app.%I where post_id = tests.id('trams') $$, name),
  'deleting a post deletes its rows of ' || name
)
from unnest(array[
  'vote_receipts', 'vote_pools', 'comments', 'feed_shares', 'saved_posts', 'feed_events', 'score_changes',
  'trending_scores',
  'events'
]) as name;
select results_eq('select post_id from app.reports', tests.ids('trams'), 'deleting a post keeps the reports of it');
select isnt_empty('select from app.assets', 'deleting a post keeps the media of another post');

rollback to empty;

-- Rows that refer to a post lock it first, so a concurrent deletion is noticed.
select tests.elm();
select tests.post('trams', 'jonas');
select is(tests.error_of(statement) ->> 'code', 'POST_NOT_FOUND', title)
from (
  values
    (
      $$
        insert into app.comments (post_id, author_id, body) values (tests.id('unknown'), tests.id('jonas'), 'Hello')
      $$,
      'a comment on a deleted post raises POST_NOT_FOUND'
    ),
    (
      $$ insert into app.comments (post_id, author_id, body) values (null, tests.id('jonas'), 'Hello') $$,
      'a comment on no post raises POST_NOT_FOUND'
    ),
    (
      $$ insert into app.feed_shares (post_id, user_id) values (tests.id('unknown'), tests.id('jonas')) $$,
      'a feed share of a deleted post raises POST_NOT_FOUND'
    ),
    (
      $$ insert into app.placements (post_id, hub_id) values (tests.id('unknown'), tests.id('elm')) $$,
      'a placement of a deleted post raises POST_NOT_FOUND'
    ),
    ($$ select tests.repost('again', 'jonas', 'unknown') $$, 'a repost of a deleted post raises POST_NOT_FOUND')
) as c (statement, title);
select lives_ok($$ select tests.repost('again', 'jonas', 'trams') $$, 'an existing post can be reposted');

rollback to empty;

-- Deleting a repost takes it back from the feeds and counts of its original (docs/product.md PO5).
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

create function pg_temp.reposts(p_name text)
returns setof text
language sql
as $$
  select concat_ws(' ', coalesce(e.hub_id::text, 'own'), actor.username, e.occurred_at - now())
  from app.feed_events as e
  join app.profiles as actor on actor.user_id = e.actor_id
  where e.post_id = tests.id(p_name) and e.kind = 'reposted' and e.ended_at is null and e.hub_id is null
$$;

delete from app.posts where id = tests.id('second');
select set_eq(
  $$ select pg_temp.reposts('trams') $$, array['own jonas 01:00:00', 'own maya 02:00:00'],
  'deleting a repost moves its original back to the previous repost of the same author'
);
select results_eq(
  $$
    select distinct ended_at from app.feed_events
    where post_id = tests.id('trams') and actor_id = tests.id('jonas') and ended_at is not null
      and occurred_at = now() + interval '2 hours'
  $$,
  'values (app.now())', 'deleting a repost closes its feed events at the time of the deletion'
);
delete from app.posts where id in (tests.id('first'), tests.id('other'));
select set_eq(
  $$ select pg_temp.reposts('trams') $$, array['own maya 02:00:00'],
  'deleting the last repost of an author removes their feed event of the original'
);
select is_empty($$ select pg_temp.reposts('bikes') $$, 'one statement takes back the reposts of several originals');
select results_eq(
  'select id, repost_count from app.posts where source_post_id is null order by thought_text',
  $$ values (tests.id('bikes'), 0), (tests.id('trams'), 1) $$,
  'deleting reposts lowers the repost count of each original'
);
select set_eq(
  'select post_id, score from app.trending_scores',
  $$ values (tests.id('trams'), app.activity_score(3, app.now() - interval '1 hour')) $$,
  'deleting reposts takes them out of trending scores'
);
delete from app.posts where id = tests.id('trams');
delete from app.posts where id = tests.id('of maya');
select is(count(*), 1::bigint, 'a repost can be deleted after its original') from app.posts;

rollback to empty;

-- A repost that staff have removed does not count as its author's last one.
select tests.elm();
select tests.post('trams', 'lena');
select app.set_clock_offset('1 hour');
select tests.repost('first', 'jonas', 'trams');
select app.set_clock_offset('2 hours');
select tests.repost('second', 'jonas', 'trams');
update app.posts set created_at = app.now() where id = tests.id('second');
select app.hide_post(tests.id('second'));
select results_eq(
  'select e.occurred_at - now() from app.feed_events as e where e.kind = ''reposted'' and e.ended_at is null and '
  'e.hub_id is null',
  array[interval '1 hour'], 'the removal of a repost moves its original back to the previous repost of the same author'
);
delete from app.posts where id = tests.id('first');
select is_empty(
  'select from app.feed_events as e where e.kind = ''reposted'' and e.ended_at is null',
  'an author whose last repost is removed has no feed event of the original'
);
select is(
  repost_count, 0, 'removed and deleted reposts count no more at their original'
) from app.posts where id = tests.id('trams');
delete from app.posts where id = tests.id('second');
select is(repost_count, 0, 'the deletion of a removed repost does not lower the count of its original again')
from app.posts where id = tests.id('trams');

select * from finish();
rollback;
