begin;
select plan(94);
savepoint empty;

-- count_follows keeps the counts of both sides.
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
select set_eq(
  'select pg_temp.counts()', array['maya: 0, 1', 'jonas: 1, 0'], 'count_follows counts a follow for both users'
);
insert into app.follows (follower_id, followee_id)
values
  (tests.id('jonas'), tests.id('maya')), (tests.id('lena'), tests.id('maya')),
  (tests.id('lena'), tests.id('jonas')), (tests.id('maya'), tests.id('lena'));
select set_eq(
  'select pg_temp.counts()', array['maya: 2, 2', 'jonas: 2, 1', 'lena: 1, 2'],
  'count_follows counts every follow of one insert'
);
delete from app.follows where followee_id = tests.id('maya');
select set_eq(
  'select pg_temp.counts()', array['maya: 0, 2', 'jonas: 2, 0', 'lena: 1, 1'],
  'count_follows subtracts every follow of one delete'
);
delete from app.follows;
select set_eq(
  'select pg_temp.counts()', array['maya: 0, 0', 'jonas: 0, 0', 'lena: 0, 0'], 'count_follows subtracts down to zero'
);
select tests.follow('maya', 'jonas');
select lives_ok($$ delete from app.users where id = tests.id('maya') $$, 'a delete of a user deletes their follows');
select results_eq(
  $$ select user_id, follower_count, following_count from app.follow_counts where user_id <> tests.id('lena') $$,
  $$ values (tests.id('jonas'), 0, 0) $$, 'a delete of a user subtracts their follows and deletes their counts'
);

rollback to empty;

-- follow_user requires level 2, a visible user and no block (docs/product.md P13).
select tests.person(name) from unnest(array['maya', 'jonas', 'lena', 'ann', 'ben']) as name;
select tests.person('nameless', 1);
select tests.block('maya', 'jonas');
select tests.block('maya', 'lena');
select tests.block('lena', 'maya');

create function pg_temp.refusal(p_caller text, p_user text)
returns text
language sql
return tests.refusal_as(p_caller, format('select api.follow_user(tests.user_args(%L))', p_user));

select tests.authenticate_as('ann');
select is(
  api.follow_user(tests.user_args('ben')), '{"following": true}', 'follow_user answers that the caller follows'
);
select results_eq(
  'select follower_id, followee_id, is_muted, created_at from app.follows',
  $$ values (tests.id('ann'), tests.id('ben'), false, app.now()) $$,
  'follow_user records an unmuted follow of the caller'
);
reset role;
select results_eq(
  'select type::text, actor_id, subject_id from app.events',
  $$ values ('user_followed', tests.id('ann'), tests.id('ben')) $$, 'follow_user emits one user_followed event'
);
select tests.authenticate_as('ann');
select is(tests.violation_of(format('select api.follow_user(tests.user_args(%L))', followee)), violated, title)
from (
  values
    ('ben', 'follows_pkey', 'a user cannot follow a user twice (ALREADY_FOLLOWING)'),
    ('ann', 'follows_are_of_others', 'a user cannot follow themselves (CANNOT_FOLLOW_SELF)')
) as c (followee, violated, title);
reset role;
select is(pg_temp.refusal(caller, followee), expected, title)
from (
  values
    ('nameless', 'ann', 'PT403 FORBIDDEN', 'a user without a profile cannot follow a user'),
    ('ann', 'nameless', 'PT404 USER_NOT_FOUND', 'a user without a profile cannot be followed'),
    ('maya', 'jonas', 'PT403 FORBIDDEN', 'a user cannot follow a user whom they block'),
    ('maya', 'lena', 'PT404 USER_NOT_FOUND', 'a user cannot find a blocker to follow, even if both block each other'),
    ('jonas', 'maya', 'PT404 USER_NOT_FOUND', 'a blocked user cannot find the blocker to follow'),
    ('maya', 'ann', null, 'a user can follow a user on neither side of a block with them'),
    ('jonas', 'lena', null, 'blocks between other users do not prevent a follow')
) as c (caller, followee, expected, title);

rollback to empty;

-- follow_user and block_user take the same lock for the same two users.
select tests.person(name) from unnest(array['maya', 'jonas', 'lena']) as name;

create function pg_temp.locks()
returns integer
language sql
as $$ select count(*)::integer from pg_locks where locktype = 'advisory' and pid = pg_backend_pid() $$;

select tests.authenticate_as('maya');
select api.follow_user(tests.user_args('jonas'));
select is(pg_temp.locks(), 1, 'follow_user locks the pair of the caller and the followed user');
select tests.authenticate_as('jonas');
select api.block_user(tests.user_args('maya'));
select is(pg_temp.locks(), 1, 'block_user takes the lock of the pair in the other direction too');
select api.block_user(tests.user_args('lena'));
select is(pg_temp.locks(), 2, 'block_user takes another lock for another user');
select tests.authenticate_as('maya');
select api.follow_user(tests.user_args('lena'));
select is(pg_temp.locks(), 3, 'follow_user takes another lock for another caller');

rollback to empty;

-- name_matches matches prefixes of the username and of words of the name (docs/product.md P16).
select tests.person_named('mberg_77', 'Maya van der Berg');
select is(app.name_matches(p, app.handle_key(query), app.search_key(query)), expected, title)
from app.profiles as p
cross join (
  values
    ('mberg', true, 'name_matches matches a prefix of the username'),
    ('berg_77', false, 'name_matches does not match inside a username'),
    ('ma', true, 'name_matches matches a prefix of the name'),
    ('be', true, 'name_matches matches a prefix of any word of the name'),
    ('van der', true, 'name_matches matches several words of the name'),
    ('aya', false, 'name_matches does not match inside a word of the name'),
    ('maya berg', false, 'name_matches does not match words that do not follow each other'),
    ('', false, 'name_matches does not match an empty query'),
    ('%', false, 'name_matches does not take a percent sign for a wildcard'),
    ('m_e', false, 'name_matches does not take an underscore for a wildcard')
) as c (query, expected, title);

rollback to empty;

-- list_followers and list_following require a visible user.
select tests.person(name) from unnest(array['maya', 'jonas', 'lena', 'ann', 'former']) as name;
select tests.person('nameless', 1);
select tests.follow(name, 'maya'), tests.follow('maya', name) from unnest(array['jonas', 'lena', 'former']) as name;
select tests.block('ann', 'jonas');
select tests.block('lena', 'ann');
delete from app.profiles where user_id = tests.id('former');

create function pg_temp.list(p_operation text, p_user text)
returns jsonb
language plpgsql
as $$
declare
  v_list jsonb;
begin
  execute format('select api.%I(%L)', p_operation, tests.user_args(p_user)) into v_list;
  return v_list;
end
$$;

create temporary table operations as select unnest(array['list_followers', 'list_following']) as operation;
grant select on operations to public;

select is(
  tests.refusal_as(caller, format('select pg_temp.list(%L, %L)', operation, listed)), expected, format(title, operation)
)
from operations
cross join (
  values
    ('nameless', 'maya', null, '%s accepts a caller without a profile'),
    ('nameless', 'nobody', 'PT404 USER_NOT_FOUND', '%s does not find an unknown user'),
    ('jonas', 'ann', 'PT404 USER_NOT_FOUND', '%s does not find a user who blocks the caller')
) as c (caller, listed, expected, title);
select tests.authenticate_as('nameless');
select set_eq(
  format('select unnest(tests.usernames(pg_temp.list(%L, %L)))', operation, 'maya'), array['jonas', 'lena'],
  operation || ' omits users without a profile'
)
from operations;
select tests.authenticate_as('ann');
select is(
  tests.usernames(pg_temp.list(operation, 'maya')), '{}',
  operation || ' omits users on either side of a block with the caller'
)
from operations;
reset role;
delete from app.sessions;
select set_config('request.jwt.claims', tests.claims('ann')::text, true), set_config('role', 'authenticated', true);
select is(tests.refusal(operation, tests.user_args('maya')), 'UNAUTHORIZED', operation || ' refuses an ended session')
from operations;

rollback to empty;

-- list_followers and list_following list the newest first, page by page (docs/product.md P16).
select tests.person(name) from unnest(array['maya', 'jonas', 'lena', 'ann', 'ben']) as name;
select tests.follow(name, 'maya', app.now() - days * interval '1 day')
from (values ('jonas', 3), ('lena', 1), ('ann', 2)) as follower (name, days);
select tests.follow('maya', name, app.now() - days * interval '1 day')
from (values ('jonas', 1), ('lena', 2), ('ann', 3)) as followee (name, days);
select tests.follow('ben', 'ann');

create function pg_temp.list(p_operation text, p_args jsonb default '{}')
returns jsonb
language sql
return case p_operation
  when 'list_followers' then api.list_followers(tests.user_args('maya') || p_args)
  else api.list_following(tests.user_args('maya') || p_args)
end;

create temporary table lists (operation, people) as
values ('list_followers', '{lena,ann,jonas}'::text[]), ('list_following', '{jonas,lena,ann}');
grant select on lists to public;

select tests.authenticate_as('ben');
select is(
  jsonb_path_query_first(pg_temp.list(operation), '$.items[*] ? (@.username == "ann")'), jsonb_build_object(
    'id', tests.id('ann'), 'username', 'ann', 'name', 'Ann', 'profilePhotoUrl', null, 'isAnonymous', false,
    'viewerFollows', true
  ),
  operation || ' shows each user, and that the caller follows them'
)
from lists;
select is(
  jsonb_path_query_array(pg_temp.list(operation), '$.items[*] ? (@.viewerFollows == false).username'),
  to_jsonb(array_remove(people, 'ann')), operation || ' shows which users the caller does not follow'
)
from lists;
select is(
  tests.usernames_across_pages(operation, tests.user_args('maya') || '{"limit": 1}'), people,
  operation || ' lists the newest first, page by page, without an empty last page'
)
from lists;

rollback to empty;

-- list_followers returns 30 followers by default, and pages through those of one moment.
select tests.person('maya');
select tests.person('user_' || n) from generate_series(101, 131) as n;
select tests.follow('user_' || n, 'maya') from generate_series(101, 131) as n;
select tests.authenticate_as('maya');
create temporary table pages as select tests.usernames(
  api.list_followers(tests.user_args('maya') || '{"limit": 100}')
) as people;
select is(
  cardinality(tests.usernames(api.list_followers(tests.user_args('maya')))), 30,
  'list_followers returns 30 followers by default'
);
select is(cardinality(people), 31, 'list_followers accepts a limit of 100') from pages;
select is(
  tests.usernames_across_pages('list_followers', tests.user_args('maya') || '{"limit": 2}'), people,
  'pages of list_followers return followers of one moment once, in order'
)
from pages;

rollback to empty;

-- list_followers searches the list by name (docs/product.md P16).
select tests.person('maya');
select tests.person_named('zoe_77', 'Zoë van der Berg');
select tests.person_named('jonas', 'Jonas Bergson');
select tests.person_named('bergit', 'Ann Other');
select tests.follow('zoe_77', 'maya', app.now() - interval '3 days');
select tests.follow('jonas', 'maya', app.now() - interval '2 days');
select tests.follow('bergit', 'maya', app.now() - interval '1 day');

create function pg_temp.list(p_query text, p_args jsonb default '{}')
returns jsonb
language sql
return api.list_followers(tests.user_args('maya') || jsonb_build_object('q', p_query) || p_args);

select tests.authenticate_as('maya');
select is(tests.usernames(pg_temp.list(query, args)), expected, title)
from (
  values
    ('berg', '{}'::jsonb, '{bergit,jonas,zoe_77}'::text[], 'list_followers searches usernames and words of names'),
    ('@ZOE', '{}', '{zoe_77}', 'list_followers ignores case, accents and a leading @ of the query'),
    ('berg', '{"limit": 2}', '{bergit,jonas}', 'list_followers returns as many matches as limit says')
) as c (query, args, expected, title);
select is(
  tests.usernames(
    pg_temp.list('berg', jsonb_build_object('cursor', pg_temp.list('berg', '{"limit": 2}') ->> 'nextCursor'))
  ),
  '{zoe_77}', 'list_followers continues a search after its cursor'
);

rollback to empty;

-- move_relations keeps the relation of the target account where both accounts have one (docs/product.md I16).
select tests.person(name) from unnest(array['maya', 'lena', 'ann', 'ben']) as name;
select tests.follow('maya', 'ann', app.now() - interval '1 day');
update app.follows set is_muted = true;
select tests.follow('lena', 'ann');
select tests.follow('ben', 'maya');
select tests.follow('ben', 'lena');
select tests.follow('maya', 'lena');
select tests.follow('lena', 'maya');

select app.move_people(tests.id('lena'), tests.id('maya'));
select set_eq(
  'select tests.follows()', array['maya > ann', 'ben > maya'],
  'move_relations merges duplicate follows and drops follows between the two accounts'
);
select results_eq(
  $$ select is_muted, app.now() - created_at from app.follows where follower_id = tests.id('maya') $$,
  $$ values (true, interval '1 day') $$, 'move_relations keeps the target account''s version of a duplicate follow'
);
select tests.block('maya', 'ben');
select tests.block('lena', 'ben');
select tests.block('lena', 'maya');
select tests.block('maya', 'lena');
delete from app.follows;
select app.move_people(tests.id('lena'), tests.id('maya'));
select set_eq(
  'select blocker_id, blocked_id from app.blocks', $$ values (tests.id('maya'), tests.id('ben')) $$,
  'move_relations merges duplicate blocks and drops blocks between the two accounts'
);

rollback to empty;

-- move_relations leaves no follow beside a block.
select tests.person(name) from unnest(array['maya', 'lena', 'ann', 'ben', 'cleo', 'dora', 'other']) as name;
-- Moved blocks meet existing follows, in both directions.
select tests.block('lena', 'ann');
select tests.block('ben', 'lena');
select tests.follow('maya', 'ann');
select tests.follow('ann', 'maya');
select tests.follow('maya', 'ben');
select tests.follow('ben', 'maya');
-- Moved follows meet existing blocks, in both directions.
select tests.block('maya', 'cleo');
select tests.block('dora', 'maya');
select tests.follow('lena', 'cleo');
select tests.follow('cleo', 'lena');
select tests.follow('lena', 'dora');
select tests.follow('dora', 'lena');
-- These follows meet no block.
select tests.follow('ann', 'ben');
select tests.follow('lena', 'other');
select tests.follow('other', 'maya');
select app.move_people(tests.id('lena'), tests.id('maya'));
select set_eq(
  'select tests.follows()', array['ann > ben', 'maya > other', 'other > maya'],
  'move_relations deletes follows between the target account and the other side of a block'
);

rollback to empty;

-- move_relations moves both sides of follows and blocks (docs/product.md I16).
select tests.person(name) from unnest(array['maya', 'lena', 'ann', 'ben', 'cleo', 'dora']) as name;
select tests.follow('lena', 'ann', app.now() - interval '1 day');
update app.follows set is_muted = true;
select tests.follow('ben', 'lena');
select tests.follow('cleo', 'ann');
select tests.block('lena', 'cleo');
update app.blocks set created_at = app.now() - interval '1 day';
select tests.block('dora', 'lena');
select tests.block('ann', 'ben');

select app.move_people(tests.id('lena'), tests.id('maya'));
select set_eq(
  'select tests.follows()', array['maya > ann', 'ben > maya', 'cleo > ann'],
  'move_relations moves follows of and by the source account and no others'
);
select results_eq(
  $$ select is_muted, app.now() - created_at from app.follows where follower_id = tests.id('maya') $$,
  $$ values (true, interval '1 day') $$, 'move_relations keeps the mute and the time of a moved follow'
);
select set_eq(
  'select blocker_id, blocked_id, app.now() - created_at from app.blocks',
  $$
    values
      (tests.id('maya'), tests.id('cleo'), interval '1 day'), (tests.id('dora'), tests.id('maya'), interval '0'),
      (tests.id('ann'), tests.id('ben'), interval '0')
  $$,
  'move_relations moves blocks of and by the source account, with their times'
);
select set_eq(
  'select user_id, follower_count, following_count from app.follow_counts where follower_count + following_count > 0',
  $$
    values (tests.id('maya'), 1, 1), (tests.id('ann'), 2, 0), (tests.id('ben'), 0, 1), (tests.id('cleo'), 0, 1)
  $$,
  'move_relations moves the counts of follows'
);

rollback to empty;

-- people_page continues where a page or a search window ended (docs/product.md P16).
select tests.person(name) from unnest(array['maya', 'jonas', 'lena']) as name;
insert into app.follows (follower_id, followee_id, created_at)
values
  (tests.id('jonas'), tests.id('maya'), app.now() - interval '1 hour'),
  (tests.id('lena'), tests.id('maya'), app.now() - interval '1 year');

create function pg_temp.page(p_args jsonb)
returns jsonb
language sql
return app.people_page(jsonb_build_object('userId', tests.id('maya')) || p_args, 'followers');

insert into app.users (id) select tests.id(n::text) from generate_series(1, 9999) as n;
insert into app.follows (follower_id, followee_id) select tests.id(n::text), tests.id('maya')
from generate_series(1, 9999) as n;
select tests.authenticate_as('maya');
create temporary table pages as select pg_temp.page('{"q": "lena"}') as first;
select is(first -> 'items', '[]', 'a search in people_page looks at 10,000 follows') from pages;
select is(
  tests.usernames(pg_temp.page(jsonb_build_object('q', 'lena', 'cursor', first ->> 'nextCursor'))), '{lena}',
  'the cursor of a search in people_page continues after 10,000 follows'
)
from pages;
select is(
  tests.usernames(pg_temp.page('{}')), '{jonas,lena}',
  'people_page without a search skips any number of users without a profile'
);

rollback to empty;

-- unfollow_user ends a follow of the caller (docs/product.md P15).
select tests.person(name) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.person('nameless', 1);
select tests.person(name) from unnest(array['suspended', 'ended', 'removed']) as name;
insert into app.suspensions (user_id) values (tests.id('suspended'));
select app.end_user(tests.id(name)) from unnest(array['ended', 'removed']) as name;
delete from app.account_deletions where user_id = tests.id('removed');
select tests.follow('maya', 'jonas');
select tests.follow('maya', 'lena');
select tests.follow('lena', 'jonas');
select tests.authenticate_as('maya');
select is(
  api.unfollow_user(tests.user_args('jonas')), '{"following": false}',
  'unfollow_user answers that the caller does not follow'
);
select set_eq(
  'select tests.follows()', array['maya > lena', 'lena > jonas'],
  'unfollow_user ends the follow of this user and no other'
);
reset role;
select is(tests.refusal_as(caller, format('select api.unfollow_user(tests.user_args(%L))', followee)), expected, title)
from (
  values
    ('maya', 'jonas', null, 'unfollow_user accepts a user whom the caller does not follow'),
    ('maya', 'nobody', 'PT404 USER_NOT_FOUND', 'unfollow_user does not find an unknown user'),
    ('maya', 'nameless', 'PT404 USER_NOT_FOUND', 'unfollow_user does not find a user without a profile'),
    ('maya', 'suspended', null, 'unfollow_user accepts a suspended user'),
    ('maya', 'ended', null, 'unfollow_user accepts a user whose account has ended'),
    ('maya', 'removed', null, 'unfollow_user accepts a user whose account the worker has removed'),
    ('nameless', 'jonas', 'PT403 FORBIDDEN', 'a user without a profile cannot call unfollow_user')
) as c (caller, followee, expected, title);

rollback to empty;

-- update_follow mutes a follow of the caller (docs/product.md P14).
select tests.person(name) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.person('nameless', 1);
select tests.person('former');
select tests.follow('maya', 'jonas');
select tests.follow('maya', 'lena');
select tests.follow('lena', 'jonas');
select tests.follow('maya', 'former');
select app.erase_person(tests.id('former'));

create function pg_temp.mute(p_name text, p_is_muted boolean)
returns jsonb
language sql
return api.update_follow(tests.user_args(p_name) || jsonb_build_object('publicPostsMuted', p_is_muted));

select is(tests.refusal_as(caller, format('select pg_temp.mute(%L, true)', followee)), expected, title)
from (
  values
    ('jonas', 'maya', 'PT404 FOLLOW_NOT_FOUND', 'update_follow does not find a follow in the other direction'),
    ('maya', 'nobody', 'PT404 FOLLOW_NOT_FOUND', 'update_follow does not find a follow of an unknown user'),
    ('maya', 'former', 'PT404 FOLLOW_NOT_FOUND', 'update_follow does not find a follow of a deleted account'),
    ('nameless', 'jonas', 'PT403 FORBIDDEN', 'a user without a profile cannot call update_follow')
) as c (caller, followee, expected, title);
select tests.authenticate_as('maya');
select is(pg_temp.mute('jonas', true), '{"publicPostsMuted": true}', 'update_follow answers that posts are muted');
select results_eq(
  'select follower_id, followee_id from app.follows where is_muted', $$ values (tests.id('maya'), tests.id('jonas')) $$,
  'update_follow mutes the caller''s follow of this user and no other'
);
select is(
  pg_temp.mute('jonas', false), '{"publicPostsMuted": false}', 'update_follow answers that posts are not muted'
);
select is_empty('select from app.follows where is_muted', 'update_follow unmutes a muted follow');
select pg_temp.mute('jonas', true);
select api.unfollow_user(tests.user_args('jonas'));
select api.follow_user(tests.user_args('jonas'));
select is_empty('select from app.follows where is_muted', 'a follow after an unfollow is not muted');

rollback to empty;

-- viewer_follows and viewer_relation answer about the caller.
select tests.person(name) from unnest(array['maya', 'jonas', 'lena', 'ann']) as name;
select tests.follow('maya', 'jonas');
select tests.follow('lena', 'jonas');
update app.follows set is_muted = true where follower_id = tests.id('lena');


create function pg_temp.relation(p_caller text, p_user text)
returns jsonb
language plpgsql
as $$
begin
  perform tests.authenticate_as(p_caller);
  return app.viewer_relation(tests.id(p_user))
    || jsonb_build_object('viewer_follows', app.viewer_follows(array[tests.id(p_user)]) = array[tests.id(p_user)]);
end
$$;

select is(
  pg_temp.relation(caller, person),
  jsonb_build_object(
    'blocking', false, 'follows', follows, 'viewer_follows', follows, 'followedBy', followed_by, 'publicPostsMuted',
    muted
  ),
  title
)
from (
  values
    ('maya', 'jonas', true, false, false, 'a viewer relation shows that the caller follows a user'),
    ('maya', 'maya', false, false, false, 'a viewer relation shows no relation of a user with themselves'),
    ('jonas', 'maya', false, true, false, 'a viewer relation shows that a user follows the caller'),
    ('ann', 'jonas', false, false, false, 'a viewer relation omits follows by others'),
    ('lena', 'jonas', true, false, true, 'a viewer relation shows that the caller mutes a follow'),
    ('lena', 'maya', false, false, false, 'a viewer relation omits relations between other users')
) as c (caller, person, follows, followed_by, muted, title);
select tests.authenticate_as('lena');
select api.block_user(tests.user_args('maya'));
select is(
  app.viewer_relation(tests.id('maya')) -> 'blocking', 'true', 'viewer_relation shows that the caller blocks a user'
);
select tests.authenticate_as_guest();
select is(app.viewer_relation(tests.id('jonas')), null, 'viewer_relation is null for a guest');

select * from finish();
rollback;
