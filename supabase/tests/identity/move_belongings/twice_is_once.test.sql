select plan(3);

select tests.person('maya', 3);
select tests.session('maya');
select tests.person('lena', 2);
select tests.session('lena');
select tests.slider('trams', 'lena');
select tests.slider('bikes', 'maya');
select tests.vote('lena', 'trams', 'left');
select tests.vote('lena', 'bikes', 'left');
select tests.vote('maya', 'bikes', 'right');
select tests.comment('hello', 'lena', 'bikes');
select tests.feed_share('lena', 'bikes');
select tests.repost('repost', 'lena', 'bikes');
insert into app.saved_posts (user_id, post_id) values (tests.id('lena'), tests.id('bikes'));
insert into app.reports (reporter_id, post_id, reason) values (tests.id('lena'), tests.id('bikes'), 'spam');
select tests.stored_object('photo', 'lena');
select tests.device_token('hers', 'lena');
insert into app.default_feed_users (user_id) values (tests.id('lena'));

create function pg_temp.world()
returns jsonb
language sql
return jsonb_build_array(
  (select jsonb_agg(to_jsonb(t) order by t.id) from app.users as t),
  (select jsonb_agg(to_jsonb(t) order by t.user_id) from app.profiles as t),
  (select jsonb_agg(to_jsonb(t) order by t.id) from app.posts as t),
  (select jsonb_agg(to_jsonb(t) order by t.post_id, t.user_id) from app.vote_receipts as t),
  (select jsonb_agg(to_jsonb(t) order by t.post_id) from app.vote_slots as t),
  (select jsonb_agg(to_jsonb(t) order by t.post_id, t.user_id, t.cast_at) from app.fresh_votes as t),
  (select jsonb_agg(to_jsonb(t) order by t.id) from app.stored_objects as t),
  (select jsonb_agg(to_jsonb(t) order by t.token_hash) from app.device_tokens as t),
  (select jsonb_agg(to_jsonb(t) order by t.user_id) from app.default_feed_users as t),
  (select jsonb_agg(to_jsonb(t) order by t.id) from app.comments as t),
  (select jsonb_agg(to_jsonb(t) order by t.user_id, t.post_id) from app.feed_shares as t),
  (select jsonb_agg(to_jsonb(t) order by t.user_id, t.post_id) from app.saved_posts as t),
  (select jsonb_agg(to_jsonb(t) order by t.id) from app.reports as t),
  (select jsonb_agg(to_jsonb(t) order by t.post_id, t.source_id, t.kind) from app.feed_events as t),
  (select jsonb_agg(to_jsonb(t) order by t.id) from app.notifications as t)
);

select app.move_belongings(tests.id('lena'), tests.id('maya'));
create temporary table worlds as select pg_temp.world() as after_once;
select app.set_clock_offset('1 hour');
select app.move_belongings(tests.id('lena'), tests.id('maya'));
select is(pg_temp.world(), after_once, 'what has moved is not moved again') from worlds;

select tests.slider('cars', 'maya');
select tests.vote('lena', 'cars', 'left');
select tests.vote('lena', 'trams', 'left');
select app.move_belongings(tests.id('lena'), tests.id('maya'));
select is_empty($$ select from app.vote_receipts where user_id = tests.id('lena') $$, 'what has come since is');
select set_eq(
  $$ select post_id from app.vote_receipts where user_id = tests.id('maya') $$,
  array[tests.id('trams'), tests.id('bikes'), tests.id('cars')],
  'each once'
);

select * from finish();
