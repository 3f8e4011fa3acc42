begin;
select plan(131);
savepoint empty;

-- count_follows: counts both sides
select tests.person(name) from unnest(array['maya', 'jonas', 'lena']) as name;

create function pg_temp.counts()
returns setof text
language sql
as $$
  select format('%s: %s, %s', p.username, c.follower_count, c.following_count)
  from app.follow_counts as c
  join app.profiles as p on p.user_id = c.user_id
$$;

select tests.follow('maya', 'jonas');
select set_eq('select pg_temp.counts()', array['maya: 0, 1', 'jonas: 1, 0'], 'a follow counts for both');
insert into app.follows (follower_id, followee_id)
values
  (tests.id('jonas'), tests.id('maya')), (tests.id('lena'), tests.id('maya')),
  (tests.id('lena'), tests.id('jonas')), (tests.id('maya'), tests.id('lena'));
select set_eq(
  'select pg_temp.counts()', array['maya: 2, 2', 'jonas: 2, 1', 'lena: 1, 2'], 'many in one statement are counted each'
);
delete from app.follows where followee_id = tests.id('maya');
select set_eq('select pg_temp.counts()', array['maya: 0, 2', 'jonas: 2, 0', 'lena: 1, 1'], 'and so are those that end');
update app.follows set is_muted = true;
select set_eq('select pg_temp.counts()', array['maya: 0, 2', 'jonas: 2, 0', 'lena: 1, 1'], 'muted follows count on');
delete from app.follows;
select set_eq('select pg_temp.counts()', array['maya: 0, 0', 'jonas: 0, 0', 'lena: 0, 0'], 'down to none');

rollback to empty;

-- count_follows: goes with a deleted user
select tests.person(name, 2) from unnest(array['maya', 'jonas']) as name;
insert into app.follows (follower_id, followee_id) values (tests.id('maya'), tests.id('jonas'));
select lives_ok($$ delete from app.users where id = tests.id('maya') $$, 'a user whose row is deleted takes their follows along');
select results_eq(
  'select user_id, follower_count, following_count from app.follow_counts', $$ values (tests.id('jonas'), 0, 0) $$,
  'and is counted no more'
);

rollback to empty;

-- follow_user: follows
select tests.person(name) from unnest(array['maya', 'jonas']) as name;
select tests.authenticate_as('maya');
select is(api.follow_user(tests.user('jonas')), '{"following": true}', 'the state is told');
select results_eq(
  'select follower_id, followee_id, is_muted, created_at from app.follows',
  $$ values (tests.id('maya'), tests.id('jonas'), false, app.now()) $$, 'the caller follows'
);
select is(
  tests.violation_of($$ select api.follow_user(tests.user('jonas')) $$), 'follows_pkey', 'a second time is refused: ALREADY_FOLLOWING'
);
select is(
  tests.violation_of($$ select api.follow_user(tests.user('maya')) $$), 'follows_are_of_others', 'and oneself: CANNOT_FOLLOW_SELF'
);

rollback to empty;

-- follow_user: is for who has a profile
select tests.person('guest', 1);
select tests.person('jonas');
select tests.authenticate_as('guest');
select is(
  tests.error_of($$ select api.follow_user(tests.user('jonas')) $$) #>> '{details,requiredLevel}', '2', 'following needs a profile'
);
select tests.authenticate_as('jonas');
select is(tests.error_of($$ select api.follow_user(tests.user('guest')) $$) ->> 'code', 'USER_NOT_FOUND', 'and so does being followed');
select tests.authenticate_as_guest();
select throws_ok($$ select api.follow_user(tests.user('jonas')) $$, '42501', null, 'a guest follows nobody');

rollback to empty;

-- follow_user: keeps to blocks
select tests.person(name) from unnest(array['maya', 'jonas', 'lena', 'ann']) as name;
select tests.block('maya', 'jonas');
select tests.block('maya', 'lena');
select tests.block('lena', 'maya');
select tests.authenticate_as('maya');
select is(
  tests.error_of($$ select api.follow_user(tests.user('jonas')) $$), '{"state": "PT403", "code": "FORBIDDEN", "details": null}',
  'nobody follows whom they have blocked'
);
select is(
  tests.error_of($$ select api.follow_user(tests.user('lena')) $$) ->> 'code', 'USER_NOT_FOUND', 'who has blocked the caller is not there, first of all'
);
select lives_ok($$ select api.follow_user(tests.user('ann')) $$, 'others may be followed');
select tests.authenticate_as('jonas');
select is(tests.error_of($$ select api.follow_user(tests.user('maya')) $$) ->> 'code', 'USER_NOT_FOUND', 'nor for whoever is blocked');
select lives_ok($$ select api.follow_user(tests.user('lena')) $$, 'blocks of others keep nobody from it');

rollback to empty;

-- follow_user: waits for a block of the two
select tests.person(name) from unnest(array['maya', 'jonas', 'lena']) as name;

create function pg_temp.locks()
returns integer
language sql
as $$ select count(*)::integer from pg_locks where locktype = 'advisory' and pid = pg_backend_pid() $$;

select tests.authenticate_as('maya');
select api.follow_user(tests.user('jonas'));
select is(pg_temp.locks(), 1, 'a follow holds what is between two people');
select tests.authenticate_as('jonas');
select api.block_user(tests.user('maya'));
select is(pg_temp.locks(), 1, 'a block of the two holds the same, from the other side');
select api.block_user(tests.user('lena'));
select is(pg_temp.locks(), 2, 'and what is between others is another');
select tests.authenticate_as('maya');
select api.follow_user(tests.user('lena'));
select is(pg_temp.locks(), 3, 'for each two');

rollback to empty;

-- is_called: by a prefix of a name
select tests.named('mberg_77', 'Maya van der Berg');

create function pg_temp.is_called(p_query text)
returns boolean
language sql
stable
return (select app.is_called(p, p_query) from app.profiles as p);

select ok(pg_temp.is_called('mberg'), 'by the beginning of the username');
select ok(not pg_temp.is_called('berg_77'), 'not by its inside');
select ok(pg_temp.is_called('ma'), 'by the beginning of the name');
select ok(pg_temp.is_called('be'), 'of any word of it');
select ok(pg_temp.is_called('van der'), 'or of several');
select ok(not pg_temp.is_called('aya'), 'not by the inside of a word');
select ok(not pg_temp.is_called('maya berg'), 'nor by words that do not follow each other');
select ok(not pg_temp.is_called(''), 'nor by nothing');
select ok(not pg_temp.is_called('%'), 'and no character stands for others');
select ok(not pg_temp.is_called('m_'), 'none');

rollback to empty;

-- list_followers: has thirty on a page
select tests.person('maya');
select tests.person('user_' || n) from generate_series(101, 131) as n;
select tests.follow('user_' || n, 'maya') from generate_series(101, 131) as n;
select tests.authenticate_as('maya');
select is(cardinality(tests.usernames(api.list_followers(tests.user('maya')))), 30, 'unless another number is asked for');
select is(cardinality(tests.usernames(api.list_followers(tests.user('maya') || '{"limit": 100}'))), 31, 'which may be up to 100');

rollback to empty;

-- list_followers: is for who has a session
select tests.person(name) from unnest(array['maya', 'jonas', 'lena', 'ann', 'former']) as name;
select tests.person('guest', 1);
select tests.follow('jonas', 'maya'); select tests.follow('lena', 'maya'); select tests.follow('former', 'maya');
select tests.block('ann', 'jonas');
select tests.block('lena', 'ann');
delete from app.profiles where user_id = tests.id('former');

select tests.authenticate_as('guest');
select set_eq(
  $$ select unnest(tests.usernames(api.list_followers(tests.user('maya')))) $$, array['jonas', 'lena'], 'a session is enough; who has no profile is not listed'
);
select is(
  tests.error_of($$ select api.list_followers(tests.user('nobody')) $$) ->> 'code', 'USER_NOT_FOUND', 'of nobody there is no list'
);
select is(
  tests.error_of($$ select api.list_followers(tests.user('maya') || '{"cursor": "?"}') $$) #>> '{details,issues,0,code}', 'invalid_cursor', 'nor behind a foreign cursor'
);
select is(
  tests.error_of($$ select api.list_followers(tests.user('maya') || '{"limit": 101}') $$) #> '{details,issues,0,path}', '["limit"]', 'nor of more than 100'
);
select tests.authenticate_as('ann');
select is(tests.usernames(api.list_followers(tests.user('maya'))), '{}', 'those between whom and the caller stands a block are not listed');
select tests.authenticate_as('jonas');
select is(
  tests.error_of($$ select api.list_followers(tests.user('ann')) $$) ->> 'code', 'USER_NOT_FOUND', 'who has blocked the caller has no list for them'
);
select tests.authenticate_as_guest();
select throws_ok($$ select api.list_followers(tests.user('maya')) $$, '42501', null, 'a guest sees none');
reset role;
delete from app.sessions;
set local role authenticated;
select set_config('request.jwt.claims', tests.claims('ann')::text, true);
select throws_ok($$ select api.list_followers(tests.user('maya')) $$, 'PT401', 'UNAUTHORIZED', 'nor does a dead session');

rollback to empty;

-- list_followers: is newest first
select tests.person(name) from unnest(array['maya', 'jonas', 'lena', 'ann', 'ben']) as name;
select tests.follow('jonas', 'maya', app.now() - interval '3 days');
select tests.follow('lena', 'maya', app.now() - interval '1 day');
select tests.follow('ann', 'maya', app.now() - interval '2 days');
select tests.follow('ben', 'ann');
-- The other side of the list, which is no part of it.
select tests.follow('maya', 'ben');

create function pg_temp.list(p_args jsonb default '{}')
returns jsonb
language sql
return api.list_followers(tests.user('maya') || p_args);

select tests.authenticate_as('ben');
select is(tests.usernames(pg_temp.list()), '{lena,ann,jonas}', 'newest first');
select is(
  pg_temp.list() #> '{items,1}', jsonb_build_object(
    'id', tests.id('ann'), 'username', 'ann', 'name', 'Ann', 'profilePhotoUrl', null, 'isAnonymous', false, 'viewerFollows', true
  ),
  'with whether the caller follows'
);
select is(pg_temp.list() #> '{items,0,viewerFollows}', 'false', 'or does not');
select is(tests.usernames(pg_temp.list('{"limit": 2}')), '{lena,ann}', 'a part at a time');
select is(
  tests.usernames(pg_temp.list(jsonb_build_object('limit', 2, 'cursor', pg_temp.list('{"limit": 2}') ->> 'nextCursor'))), '{jonas}', 'and then the rest'
);
select is(pg_temp.list('{"limit": 3}') ->> 'nextCursor', null, 'where nobody is left there is no next page');

rollback to empty;

-- list_followers: pages through one moment
select tests.person('maya');
select tests.person('user_' || n) from generate_series(10, 16) as n;
select tests.follow('user_' || n, 'maya') from generate_series(10, 16) as n;

select tests.authenticate_as('maya');
create temporary table people as select tests.usernames(api.list_followers(tests.user('maya'))) as all_of_them;
select is(cardinality(all_of_them), 7, 'seven came at one time') from people;
select is(tests.on_pages('list_followers', tests.user('maya') || '{"limit": 2}'), all_of_them, 'and are on pages as on one') from people;

rollback to empty;

-- list_followers: searches the list
select tests.person('maya');
select tests.named('zoe_77', 'Zoë van der Berg');
select tests.named('jonas', 'Jonas Bergson');
select tests.named('bergit', 'Ann Other');
select tests.follow('zoe_77', 'maya', app.now() - interval '3 days');
select tests.follow('jonas', 'maya', app.now() - interval '2 days');
select tests.follow('bergit', 'maya', app.now() - interval '1 day');

create function pg_temp.list(p_query text, p_args jsonb default '{}')
returns jsonb
language sql
return api.list_followers(tests.user('maya') || jsonb_build_object('q', p_query) || p_args);

select tests.authenticate_as('maya');
select is(tests.usernames(pg_temp.list('berg')), '{bergit,jonas,zoe_77}', 'by the username or any word of the name');
select is(tests.usernames(pg_temp.list('@ZOE')), '{zoe_77}', 'however it is written');
select is(tests.usernames(pg_temp.list('erg')), '{}', 'by its beginning');
select is(tests.usernames(pg_temp.list('%')), '{}', 'and no pattern');
select is(tests.usernames(pg_temp.list('berg', '{"limit": 2}')), '{bergit,jonas}', 'a part at a time');
select is(
  tests.usernames(pg_temp.list('berg', jsonb_build_object('cursor', pg_temp.list('berg', '{"limit": 2}') ->> 'nextCursor'))), '{zoe_77}', 'and the rest'
);

rollback to empty;

-- list_following: is for who has a session
select tests.person(name) from unnest(array['maya', 'jonas', 'lena', 'ann', 'former']) as name;
select tests.person('guest', 1);
select tests.follow('maya', 'jonas'); select tests.follow('maya', 'lena'); select tests.follow('maya', 'former');
select tests.block('ann', 'jonas');
select tests.block('lena', 'ann');
delete from app.profiles where user_id = tests.id('former');

select tests.authenticate_as('guest');
select set_eq(
  $$ select unnest(tests.usernames(api.list_following(tests.user('maya')))) $$, array['jonas', 'lena'], 'a session is enough; who has no profile is not listed'
);
select is(
  tests.error_of($$ select api.list_following(tests.user('nobody')) $$) ->> 'code', 'USER_NOT_FOUND', 'of nobody there is no list'
);
select is(
  tests.error_of($$ select api.list_following(tests.user('maya') || '{"cursor": "?"}') $$) #>> '{details,issues,0,code}', 'invalid_cursor', 'nor behind a foreign cursor'
);
select is(
  tests.error_of($$ select api.list_following(tests.user('maya') || '{"limit": 101}') $$) #> '{details,issues,0,path}', '["limit"]', 'nor of more than 100'
);
select tests.authenticate_as('ann');
select is(tests.usernames(api.list_following(tests.user('maya'))), '{}', 'those between whom and the caller stands a block are not listed');
select tests.authenticate_as('jonas');
select is(
  tests.error_of($$ select api.list_following(tests.user('ann')) $$) ->> 'code', 'USER_NOT_FOUND', 'who has blocked the caller has no list for them'
);
select tests.authenticate_as_guest();
select throws_ok($$ select api.list_following(tests.user('maya')) $$, '42501', null, 'a guest sees none');
reset role;
delete from app.sessions;
set local role authenticated;
select set_config('request.jwt.claims', tests.claims('ann')::text, true);
select throws_ok($$ select api.list_following(tests.user('maya')) $$, 'PT401', 'UNAUTHORIZED', 'nor does a dead session');

rollback to empty;

-- list_following: is newest first
select tests.person(name) from unnest(array['maya', 'jonas', 'lena', 'ann', 'ben']) as name;
select tests.follow('maya', 'jonas', app.now() - interval '3 days');
select tests.follow('maya', 'lena', app.now() - interval '1 day');
select tests.follow('maya', 'ann', app.now() - interval '2 days');
select tests.follow('ben', 'ann');
-- The other side of the list, which is no part of it.
select tests.follow('ben', 'maya');

create function pg_temp.list(p_args jsonb default '{}')
returns jsonb
language sql
return api.list_following(tests.user('maya') || p_args);

select tests.authenticate_as('ben');
select is(tests.usernames(pg_temp.list()), '{lena,ann,jonas}', 'newest first');
select is(
  pg_temp.list() #> '{items,1}', jsonb_build_object(
    'id', tests.id('ann'), 'username', 'ann', 'name', 'Ann', 'profilePhotoUrl', null, 'isAnonymous', false, 'viewerFollows', true
  ),
  'with whether the caller follows'
);
select is(pg_temp.list() #> '{items,0,viewerFollows}', 'false', 'or does not');
select is(tests.usernames(pg_temp.list('{"limit": 2}')), '{lena,ann}', 'a part at a time');
select is(
  tests.usernames(pg_temp.list(jsonb_build_object('limit', 2, 'cursor', pg_temp.list('{"limit": 2}') ->> 'nextCursor'))), '{jonas}', 'and then the rest'
);
select is(pg_temp.list('{"limit": 3}') ->> 'nextCursor', null, 'where nobody is left there is no next page');

rollback to empty;

-- move_relations: keeps what both have
select tests.person(name) from unnest(array['maya', 'lena', 'ann', 'ben']) as name;
select tests.follow('maya', 'ann', app.now() - interval '1 day');
update app.follows set is_muted = true;
select tests.follow('lena', 'ann');
select tests.follow('ben', 'maya');
select tests.follow('ben', 'lena');
select tests.follow('maya', 'lena');
select tests.follow('lena', 'maya');

select app.move_relations(tests.id('lena'), tests.id('maya'));
select set_eq('select tests.follows()', array['maya > ann', 'ben > maya'], 'one of each is left, and none of oneself');
select results_eq(
  $$ select is_muted, app.now() - created_at from app.follows where follower_id = tests.id('maya') $$, $$ values (true, interval '1 day') $$,
  'the own one'
);
select tests.block('maya', 'ben');
select tests.block('lena', 'ben');
select tests.block('lena', 'maya');
select tests.block('maya', 'lena');
delete from app.follows;
select app.move_relations(tests.id('lena'), tests.id('maya'));
select set_eq('select blocker_id, blocked_id from app.blocks', $$ values (tests.id('maya'), tests.id('ben')) $$, 'so it is with blocks');
select is_empty($$ select tests.who_may('select app.move_relations(null, null)') $$, 'no role moves them');

rollback to empty;

-- move_relations: leaves no follow beside a block
select tests.person(name) from unnest(array['maya', 'lena', 'ann', 'ben', 'cleo', 'dora', 'other']) as name;
-- Blocks that move meet follows that were there, both ways.
select tests.block('lena', 'ann');
select tests.block('ben', 'lena');
select tests.follow('maya', 'ann');
select tests.follow('ann', 'maya');
select tests.follow('maya', 'ben');
select tests.follow('ben', 'maya');
-- Follows that move meet blocks that were there, both ways.
select tests.block('maya', 'cleo');
select tests.block('dora', 'maya');
select tests.follow('lena', 'cleo');
select tests.follow('cleo', 'lena');
select tests.follow('lena', 'dora');
select tests.follow('dora', 'lena');
-- What no block is between stays.
select tests.follow('ann', 'ben');
select tests.follow('lena', 'other');
select tests.follow('other', 'maya');
select app.move_relations(tests.id('lena'), tests.id('maya'));
select set_eq('select tests.follows()', array['ann > ben', 'maya > other', 'other > maya'], 'no two follow between whom there is a block');

rollback to empty;

-- move_relations: moves both sides
select tests.person(name) from unnest(array['maya', 'lena', 'ann', 'ben', 'cleo', 'dora']) as name;
select tests.follow('lena', 'ann', app.now() - interval '1 day');
update app.follows set is_muted = true;
select tests.follow('ben', 'lena');
select tests.follow('cleo', 'ann');
select tests.block('lena', 'cleo');
update app.blocks set created_at = app.now() - interval '1 day';
select tests.block('dora', 'lena');
select tests.block('ann', 'ben');

select app.move_relations(tests.id('lena'), tests.id('maya'));
select set_eq('select tests.follows()', array['maya > ann', 'ben > maya', 'cleo > ann'], 'follows on either side; those of others stay');
select results_eq(
  $$ select is_muted, app.now() - created_at from app.follows where follower_id = tests.id('maya') $$, $$ values (true, interval '1 day') $$,
  'each as it was'
);
select set_eq(
  'select blocker_id, blocked_id, app.now() - created_at from app.blocks',
  $$
    values
      (tests.id('maya'), tests.id('cleo'), interval '1 day'), (tests.id('dora'), tests.id('maya'), interval '0'),
      (tests.id('ann'), tests.id('ben'), interval '0')
  $$,
  'and blocks'
);
select set_eq(
  'select user_id, follower_count, following_count from app.follow_counts where follower_count + following_count > 0',
  $$
    values (tests.id('maya'), 1, 1), (tests.id('ann'), 2, 0), (tests.id('ben'), 0, 1), (tests.id('cleo'), 0, 1)
  $$,
  'their numbers go with them'
);

rollback to empty;

-- people_page: goes on where it ended
select tests.person(name) from unnest(array['maya', 'jonas', 'lena']) as name;
insert into app.follows (follower_id, followee_id, created_at)
values
  (tests.id('jonas'), tests.id('maya'), app.now() - interval '1 hour'),
  (tests.id('lena'), tests.id('maya'), app.now() - interval '1 year');

create function pg_temp.page(p_args jsonb)
returns jsonb
language sql
return app.people_page(jsonb_build_object('userId', tests.id('maya')) || p_args, 'followers');

select tests.authenticate_as('maya');
select is(tests.usernames(pg_temp.page('{}')), '{jonas,lena}', 'the newest first');
select is(pg_temp.page('{"limit": 2}') ->> 'nextCursor', null, 'without a next one where nothing is left');
select is(
  pg_temp.page('{"limit": 1}') ->> 'nextCursor', app.encode_cursor(app.now() - interval '1 hour', tests.id('jonas')),
  'else with where it ended'
);
reset role;

insert into app.users (id) select tests.id(n::text) from generate_series(1, 9999) as n;
insert into app.follows (follower_id, followee_id) select tests.id(n::text), tests.id('maya') from generate_series(1, 9999) as n;
select tests.authenticate_as('maya');
create temporary table pages as select pg_temp.page('{"q": "lena"}') as first;
select is(first -> 'items', '[]', 'a request for a name looks at 10,000') from pages;
select is(
  tests.usernames(pg_temp.page(jsonb_build_object('q', 'lena', 'cursor', first ->> 'nextCursor'))), '{lena}',
  'and the next one goes on behind them'
)
from pages;
select is(tests.usernames(pg_temp.page('{}')), '{jonas,lena}', 'a page of everybody is filled, however many have left');

rollback to empty;

-- put_follow: is an event
select tests.person(name) from unnest(array['maya', 'jonas']) as name;

select tests.authenticate_as('maya');
select lives_ok($$ select app.put_follow(tests.id('jonas')) $$, 'one follows somebody');
select throws_ok($$ select app.put_follow(tests.id('jonas')) $$, '23505', null, 'once');
reset role;
select results_eq(
  'select type::text, actor_id, subject_id from app.events',
  $$ values ('user_followed', tests.id('maya'), tests.id('jonas')) $$,
  'and that is one event'
);

rollback to empty;

-- put_follow: is kept from by a block
select tests.person(name) from unnest(array['maya', 'lena', 'ann']) as name;
select tests.block('maya', 'lena');
select tests.block('ann', 'maya');

select tests.authenticate_as('maya');
select throws_ok($$ select app.put_follow(tests.id('lena')) $$, 'PT403', 'FORBIDDEN', 'nobody follows whom they have blocked');
select throws_ok($$ select app.put_follow(tests.id('ann')) $$, 'PT403', 'FORBIDDEN', 'nor who has blocked them');
reset role;
select is_empty('select from app.follows', 'nothing came of it');
select is_empty('select from app.events', 'that anybody would be told of');

rollback to empty;

-- require_person: knows whom the caller sees
select tests.person(name) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.person('nameless', 1);
select tests.person('former');
select app.end_user(tests.id('former'));
select tests.block('maya', 'jonas');

create function pg_temp.refusal_of(p_id uuid)
returns text
language sql
return tests.error_of(format('select app.require_person(%L)', p_id)) ->> 'code';

select tests.authenticate_as('maya');
select is(pg_temp.refusal_of(tests.id('lena')), null, 'a registered person is known');
select is(pg_temp.refusal_of(tests.id('maya')), null, 'the caller is one');
select is(pg_temp.refusal_of(tests.id('jonas')), null, 'whom the caller has blocked as well');
select is(pg_temp.refusal_of(tests.id('nameless')), 'USER_NOT_FOUND', 'an account without a profile is not');
select is(pg_temp.refusal_of(tests.id('former')), 'USER_NOT_FOUND', 'nor one that has ended');
select is(pg_temp.refusal_of(tests.id('nobody')), 'USER_NOT_FOUND', 'nor an id of nobody');
select is(pg_temp.refusal_of(null), 'USER_NOT_FOUND', 'nor none at all');
select tests.authenticate_as('jonas');
select is(
  tests.error_of($$ select app.require_person(tests.id('maya')) $$) ->> 'state', 'PT404', 'who has blocked the caller is not there for them'
);
select tests.authenticate_as_guest();
select is(pg_temp.refusal_of(tests.id('maya')), null, 'but for a guest');

rollback to empty;

-- unfollow_user: ends a follow
select tests.person(name) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.person('guest', 1);
select tests.follow('maya', 'jonas');
select tests.follow('maya', 'lena');
select tests.follow('lena', 'jonas');
select tests.authenticate_as('maya');
select is(api.unfollow_user(tests.user('jonas')), '{"following": false}', 'the state is told');
select set_eq('select tests.follows()', array['maya > lena', 'lena > jonas'], 'it ends that one alone');
select is(api.unfollow_user(tests.user('jonas')), '{"following": false}', 'where there is none, none ends');
select is(tests.error_of($$ select api.unfollow_user(tests.user('nobody')) $$) ->> 'code', 'USER_NOT_FOUND', 'of nobody there is none');
select tests.authenticate_as('guest');
select is(
  tests.error_of($$ select api.unfollow_user(tests.user('jonas')) $$) #>> '{details,requiredLevel}', '2', 'who has no profile follows nobody'
);
select tests.authenticate_as_guest();
select throws_ok($$ select api.unfollow_user(tests.user('jonas')) $$, '42501', null, 'nor does a guest');

rollback to empty;

-- update_follow: mutes
select tests.person(name) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.follow('maya', 'jonas');
select tests.follow('maya', 'lena');
select tests.follow('lena', 'jonas');

create function pg_temp.mute(p_name text, p_is_muted boolean)
returns jsonb
language sql
return api.update_follow(tests.user(p_name) || jsonb_build_object('publicPostsMuted', p_is_muted));

create function pg_temp.muted()
returns setof text
language sql
as $$
  select one.username || ' > ' || other.username
  from app.follows as f
  join app.profiles as one on one.user_id = f.follower_id
  join app.profiles as other on other.user_id = f.followee_id
  where f.is_muted
$$;

select tests.authenticate_as('maya');
select is(pg_temp.mute('jonas', true), '{"publicPostsMuted": true}', 'the setting is told');
select set_eq('select pg_temp.muted()', array['maya > jonas'], 'and kept, for the caller''s follow of this person');
select is(pg_temp.mute('jonas', false), '{"publicPostsMuted": false}', 'it may be taken back');
select is_empty('select pg_temp.muted()', 'it is');
select pg_temp.mute('jonas', true);
select api.unfollow_user(tests.user('jonas'));
select api.follow_user(tests.user('jonas'));
select is_empty('select pg_temp.muted()', 'a new follow begins unmuted');
select is(count(*)::integer, 3, 'no follow is another''s') from app.follows;

rollback to empty;

-- update_follow: needs a follow
select tests.person(name) from unnest(array['maya', 'jonas']) as name;
select tests.person('guest', 1);
select tests.person('former');
select tests.follow('jonas', 'maya');
select tests.follow('maya', 'former');
select app.erase_person(tests.id('former'));

create function pg_temp.error(p_name text)
returns jsonb
language sql
return tests.error_of(format('select api.update_follow(tests.user(%L) || %L)', p_name, '{"publicPostsMuted": true}'));

select tests.authenticate_as('maya');
select is(
  pg_temp.error('jonas'), '{"state": "PT404", "code": "FOLLOW_NOT_FOUND", "details": null}', 'of whom one does not follow, nothing is muted'
);
select is(pg_temp.error('nobody') ->> 'code', 'FOLLOW_NOT_FOUND', 'nor of nobody');
select is(pg_temp.error('former') ->> 'code', 'FOLLOW_NOT_FOUND', 'nor of who has left');
select is(count(*)::integer, 0, 'nothing is') from app.follows where is_muted;
select tests.authenticate_as('guest');
select is(pg_temp.error('jonas') #>> '{details,requiredLevel}', '2', 'nor by who has no profile');
select tests.authenticate_as_guest();
select throws_ok($$ select api.update_follow(tests.user('jonas')) $$, '42501', null, 'nor by a guest');

rollback to empty;

-- viewer_follows: is about the caller
select tests.person(name) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.follow('maya', 'jonas');
select tests.follow('lena', 'maya');
select tests.authenticate_as('maya');
select ok(app.viewer_follows(tests.id('jonas')), 'whom the caller follows');
select ok(not app.viewer_follows(tests.id('lena')), 'not who follows the caller');
select tests.authenticate_as('lena');
select ok(not app.viewer_follows(tests.id('jonas')), 'nor whom others follow');

rollback to empty;

-- viewer_relation: is what the caller may know
select tests.person(name) from unnest(array['maya', 'jonas', 'lena', 'ann']) as name;
select tests.follow('maya', 'jonas');
select tests.follow('lena', 'jonas');
update app.follows set is_muted = true where follower_id = tests.id('lena');

create function pg_temp.relation(p_name text)
returns text[]
language sql
return array(select key from jsonb_each(app.viewer_relation(tests.id(p_name))) where value = 'true' order by key);

select tests.authenticate_as('maya');
select is(
  app.viewer_relation(tests.id('jonas')), '{"follows": true, "followedBy": false, "blocking": false, "publicPostsMuted": false}',
  'one follows'
);
select is(pg_temp.relation('maya'), '{}', 'there is nothing between one and oneself');
select tests.authenticate_as('jonas');
select is(pg_temp.relation('maya'), '{followedBy}', 'one is followed');
select is(pg_temp.relation('ann'), '{}', 'by those who do and by nobody else');
select tests.authenticate_as('lena');
select is(pg_temp.relation('jonas'), '{follows,publicPostsMuted}', 'one follows, and has muted');
select is(pg_temp.relation('maya'), '{}', 'what is between others is not told');
select api.block_user(tests.user('maya'));
select is(pg_temp.relation('maya'), '{blocking}', 'one blocks');
select tests.authenticate_as_guest();
select is(app.viewer_relation(tests.id('jonas')), null, 'a guest has no relations');

select * from finish();
rollback;
