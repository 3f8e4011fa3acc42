select plan(11);

select tests.elm();
insert into app.posts (id, author_id, thought_text, visibility, created_at)
select tests.id('post ' || n), tests.id('maya'), n, 'public', tests.ago(n) from generate_series(1, 21) as n;
select tests.post('of jonas', 'jonas');
select tests.feed_share('maya', 'of jonas', tests.ago(0));

create function pg_temp.feed(p_args jsonb default '{}', p_name text default 'maya')
returns text[]
language sql
return tests.thoughts(tests.listed(api.get_profile_feed(tests.user(p_name) || p_args)));

select tests.act_as_guest();
select is((pg_temp.feed())[:3], array['of jonas', '1', '2'], 'what they published and shared, the newest first');
select is(cardinality(pg_temp.feed()), 20, 'twenty on a page');
select is(cardinality(pg_temp.feed('{"limit": 50}')), 22, 'or up to fifty');
select is(tests.refusal('get_profile_feed', tests.user('maya') || '{"limit": 51}'), 'VALIDATION_FAILED', 'and no more');
select is(tests.refusal('get_profile_feed', tests.user('maya') || '{"cursor": "?"}'), 'VALIDATION_FAILED', 'it follows no foreign cursor');
select is(
  pg_temp.feed(jsonb_build_object('limit', 50, 'cursor', api.get_profile_feed(tests.user('maya')) ->> 'nextCursor')), (pg_temp.feed('{"limit": 50}'))[21:], 'but its own'
);
select is_empty(
  $$ select from jsonb_array_elements(api.get_profile_feed(tests.user('maya')) -> 'items') as item where item ? 'feedContext' $$, 'without reasons'
);
select is(pg_temp.feed(p_name => 'lena'), '{}', 'of somebody who has nothing, it is empty');
select is(tests.refusal('get_profile_feed', tests.user('nobody')), 'USER_NOT_FOUND', 'of nobody there is none');
reset role;
select tests.block('maya', 'jonas');
select tests.act_as('jonas');
select is(tests.refusal('get_profile_feed', tests.user('maya')), 'USER_NOT_FOUND', 'nor of who has blocked one');
reset role;
select app.end_user(tests.id('maya'));
select tests.act_as_guest();
select is(tests.refusal('get_profile_feed', tests.user('maya')), 'USER_NOT_FOUND', 'nor of who has left');

select * from finish();
