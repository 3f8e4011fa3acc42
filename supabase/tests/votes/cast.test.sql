begin;
select plan(47);
savepoint empty;

-- cast_vote requires a serializable transaction (docs/product.md V8).
select tests.person('maya', 3);
select tests.slider('trams', 'maya');
select is(
  tests.refusal_as('maya', format('select api.cast_vote(%L)', tests.post_args('trams') || '{"position": "left"}')),
  'PT403 FORBIDDEN', 'cast_vote is forbidden outside a serializable transaction'
);

rollback to empty;

-- cast_vote_answer returns the current summary of the displayed scope.
select tests.elm();
select tests.slider('trams', 'maya');
select tests.placement('trams', 'elm');
select tests.slider('locked', 'maya', 'private_locked_hub');
select tests.placement('locked', 'elm');
select tests.vote('maya', 'locked', 'right');
select tests.vote('jonas', 'trams', 'neutral');
select tests.vote('lena', 'trams', 'left');
create function pg_temp.answer(p_caller text, p_args jsonb)
returns jsonb
language sql
as $$
  select tests.authenticate_as(p_caller);
  reset role;
  select app.cast_vote_answer(p_args);
$$;

select is(
  pg_temp.answer('lena', tests.post_args('trams') || '{"position": "left"}'),
  tests.post_args('trams')
    || '{"summary": {"totalVotes": 2, "resultsVisible": true, "leftCount": 1, "neutralCount": 1, "rightCount": 0}}',
  'cast_vote_answer counts the caller''s vote and omits the position'
);
select is(pg_temp.answer(caller, args) #> '{summary,totalVotes}', total, title)
from (
  values
    (
      'jonas', tests.post_args('trams') || tests.hub_args('elm'), '1'::jsonb,
      'cast_vote_answer with hubId counts the votes of the Hub'
    ),
    (
      'lena', tests.post_args('trams') || tests.hub_args('elm'), '0',
      'cast_vote_answer counts no votes of a Hub in which the caller is not, or not any more'
    )
) as c (caller, args, total, title);

rollback to empty;

-- count_in_slots counts a vote in each scope, in the slot of its backend.
select tests.elm();
select tests.slider('trams', 'maya');
select tests.slider('bikes', 'maya');
select app.count_in_slots(tests.id('trams'), array[tests.id('elm'), null], position::app.vote_position)
from unnest(array[
  'strong_left', 'strong_left', 'left', 'left', 'neutral', 'neutral', 'neutral', 'right', 'right', 'right', 'right'
]) as position;
select app.count_in_slots(tests.id('trams'), array[tests.id('elm')], 'strong_right') from generate_series(1, 5);
select app.count_in_slots(tests.id('bikes'), '{}', 'left');
select bag_eq(
  'select tests.all_vote_counts()', array['trams (2,2,3,4,0)', 'trams in elm (2,2,3,4,5)'],
  'count_in_slots adds each position to its counter in each scope'
);
select bag_eq(
  'select hub_id, slot from app.vote_slots', $$ values (tests.id('elm'), pg_backend_pid()), (null, pg_backend_pid()) $$,
  'count_in_slots writes one row per scope, in the slot of its backend'
);
insert into app.vote_slots (post_id, hub_id, slot, counts) values (tests.id('bikes'), null, 0, (0, 7, 0, 0, 0));
select app.count_in_slots(tests.id('bikes'), array[null::uuid], 'left');
select app.set_clock_offset('30 seconds');
select app.count_in_slots(tests.id('bikes'), array[null::uuid], 'left') from generate_series(1, 2);
select set_eq(
  $$ select generation, slot, (counts).left_count from app.vote_slots where post_id = tests.id('bikes') $$,
  $$
    values
      (app.slot_generation(), pg_backend_pid(), 2::bigint),
      ((1 - app.slot_generation())::smallint, pg_backend_pid(), 1),
      ((1 - app.slot_generation())::smallint, 0, 7)
  $$,
  'count_in_slots writes to the other generation half a minute later, and to no slot of another backend'
);

rollback to empty;

-- count_vote locks the voter, so that it waits for a merge of their account.
-- Foreign keys would lock the voter too.
set local session_replication_role = replica;
select tests.person('maya', 3);
select tests.slider('trams', 'maya');
select tests.vote('maya', 'trams', 'left', '10 minutes');
select is(
  tests.lock_of('app.users', tests.id('maya')), 'key share',
  'count_vote locks the voter against a merge of their account'
);

rollback to empty;

-- count_vote counts a vote globally and in the voter's Hubs that have the post (docs/product.md V3-V5).
select tests.elm();
select tests.hub('oak', 'jonas');
select tests.hub('fir', 'jonas');
select tests.hub('ash', 'amara');
select tests.slider('trams', 'lena');
select tests.placement('trams', hub) from unnest(array['elm', 'oak', 'ash']) as hub;
select tests.slider('locked', 'amara', 'private_locked_hub');
select tests.placement('locked', hub) from unnest(array['elm', 'ash']) as hub;
select tests.vote('jonas', 'trams', 'right');
select tests.vote('lena', 'trams', 'left');
select tests.vote('maya', 'trams', 'right');
select tests.vote('amara', 'locked', 'neutral');
select tests.vote('jonas', 'locked', 'left');
create temporary table before as select tests.all_vote_counts() as pool;
select bag_eq(
  'select pool from before',
  array[
    'trams (0,1,0,2,0)', 'trams in elm (0,0,0,2,0)', 'trams in oak (0,0,0,1,0)', 'locked in elm (0,1,1,0,0)',
    'locked in ash (0,0,1,0,0)'
  ],
  'a vote counts globally, unless the post is private, and in each Hub that has both post and voter'
);
select is_empty('select from app.vote_pools', 'count_vote writes nothing to app.vote_pools');
select bag_eq(
  'select post_id, user_id, voted_at, baseline, array(select id from unnest(hub_ids) as id order by id) from '
  'app.vote_receipts',
  $$
    select
      tests.id(post) as post_id, tests.id(voter) as user_id, date_trunc('minute', app.now()) as voted_at,
      null::integer as baseline, array(select tests.id(hub) from unnest(hubs) as hub order by tests.id(hub)) as hub_ids
    from (
      values
        ('trams', 'jonas', '{elm,oak}'::text[]), ('trams', 'lena', '{}'), ('trams', 'maya', '{elm}'),
        ('locked', 'amara', '{elm,ash}'), ('locked', 'jonas', '{elm}')
    ) as receipt (post, voter, hubs)
  $$,
  'a receipt holds the voter, the minute and the Hubs in which the vote counted'
);
select tests.membership('elm', 'lena');
select tests.placement('trams', 'fir', p_kind => 'shared', p_by => 'jonas');
select app.delete_memberships(tests.id('elm'), tests.id('jonas'));
delete from app.pending_ballots;
select tests.fold();
select bag_eq(
  'select tests.all_vote_counts()', 'select pool from before',
  'a later join, leave or share does not change the scopes of a vote'
);
select is(cardinality(hub_ids), 2, 'a receipt keeps its Hubs after the voter has left one')
from app.vote_receipts where user_id = tests.id('jonas') and post_id = tests.id('trams');
select tests.authenticate_as_guest();
set local role authenticated;
select throws_ok(
  $$
    select app.count_vote(p, 'left', '0', true, tests.vote_key(), false)
    from app.posts as p
    where p.id = tests.id('trams')
  $$,
  '42501', null, 'no caller runs count_vote, which trusts the post that it is given'
);

rollback to empty;

-- count_vote records activity and leaves the rest to the fold.
select tests.elm();
select tests.slider('trams', 'lena');
select tests.slider('bikes', 'lena');
select tests.slider('locked', 'amara', 'private_locked_hub');
select tests.placement('locked', 'elm');
delete from app.feed_events;
delete from app.events;
select tests.vote('jonas', name, 'left', '10 minutes') from unnest(array['trams', 'locked']) as name;
select tests.vote('jonas', 'bikes', 'left'), tests.vote('maya', 'locked', 'left');
select bag_eq(
  'select post_id, kind::text, actor_id, hub_id, occurred_at from app.feed_events',
  $$
    values
      (tests.id('bikes'), 'voted', tests.id('jonas'), null::uuid, app.now()),
      (tests.id('bikes'), 'voted', tests.id('jonas'), tests.id('elm'), app.now())
  $$,
  'a public vote without delay is recorded at once, in the sources of the voter and of their Hubs'
);
select results_eq(
  $$ select post_id, activity_at, is_held from app.fresh_votes where user_id = tests.id('jonas') order by post_id $$,
  $$
    select tests.id(name), at, false
    from (
      values
        ('trams', app.now() + interval '10 minutes'), ('bikes', app.now()), ('locked', null)
    ) as vote (name, at)
    order by 1
  $$,
  'a public vote tells the fold when feeds may show it, a private one does not'
);
select bag_eq(
  'select post_id, user_id, cast_at from app.fresh_votes',
  $$
    select tests.id(post) as post_id, tests.id(voter) as user_id, app.now() as cast_at
    from (values ('trams', 'jonas'), ('bikes', 'jonas'), ('locked', 'jonas'), ('locked', 'maya')) as vote (post, voter)
  $$,
  'count_vote queues each vote for the fold with its post, voter and time'
);
select is_empty(
  $$
    select from app.trending_scores union all select from app.posts where vote_count > 0
    union all select from app.events union all select from app.milestones
  $$,
  'count_vote changes no trending score or vote count and creates no event or milestone'
);

rollback to empty;

-- count_vote requires level 4 and a common Hub on private posts (docs/product.md V9).
select tests.elm();
select tests.hub('oak', 'lena');
select tests.slider('locked', 'amara', 'private_locked_hub');
select tests.placement('locked', 'elm');
select tests.slider('trams', 'amara');
select tests.placement('trams', 'elm');
update app.users set contacts_synced_at = null where id = tests.id('jonas');
select throws_ok(format('select tests.vote(%L, ''locked'', ''left'')', voter), 'PT403', 'VOTE_NOT_ALLOWED', title)
from (
  values
    ('lena', 'a non-member of a private post''s Hubs cannot vote on the post'),
    ('jonas', 'a member below level 4 cannot vote on a private post')
) as c (voter, title);
select tests.vote('jonas', 'trams', 'left'), tests.vote('maya', 'locked', 'left');
select bag_eq(
  'select tests.all_vote_counts()', array['trams (0,1,0,0,0)', 'locked in elm (0,1,0,0,0)'],
  'a vote of a member below level 4 counts in no Hub'
);

rollback to empty;

-- count_vote stores a ballot for the voter's other Hubs (docs/product.md V6).
select tests.elm();
select tests.hub(name, 'jonas') from unnest(array['oak', 'fir']) as name;
select tests.hub('ash', 'lena');
select tests.person('nina', 2);
select tests.slider(name, 'lena') from unnest(array['trams', 'bikes', 'boats']) as name;
select tests.placement('trams', 'elm');
select tests.slider(name, 'jonas', 'private_locked_hub') from unnest(array['cars', 'for two']) as name;
select tests.placement('cars', 'elm'), tests.placement('for two', 'elm'), tests.placement('for two', 'ash');

create function pg_temp.ballots_of(p_voter text, p_post text, p_position app.vote_position)
returns text[]
language plpgsql
as $$
begin
  delete from app.pending_ballots;
  perform tests.vote(p_voter, p_post, p_position);
  return array(select tests.pending_ballots());
end
$$;

select is(pg_temp.ballots_of(voter, post, position::app.vote_position), ballots, title)
from (
  values
    (
      'jonas', 'trams', 'right', array['trams (0,0,0,1,0) for fir, oak'],
      'a ballot waits for the voter''s Hubs without the post'
    ),
    (
      'jonas', 'bikes', 'left', array['bikes (0,1,0,0,0) for elm, fir, oak'],
      'a ballot waits for all of a voter''s Hubs'
    ),
    ('amara', 'trams', 'left', '{}', 'a vote leaves no ballot when all of the voter''s Hubs have the post'),
    ('nina', 'boats', 'left', '{}', 'a voter without a Hub leaves no ballot'),
    ('jonas', 'cars', 'left', '{}', 'a vote on a post that cannot be shared leaves no ballot'),
    (
      'jonas', 'for two', 'neutral', array['for two (0,0,1,0,0) for fir, oak'],
      'a vote on a shareable private post leaves a ballot'
    )
) as c (voter, post, position, ballots, title);

rollback to empty;

-- displayed_hub chooses the scope in which a viewer sees votes (docs/product.md V11).
select tests.elm();
select tests.hub(name, 'jonas') from unnest(array['oak', 'fir']) as name;
select tests.hub('ash', 'amara');
select tests.slider(name, 'lena', 'private_locked_hub') from unnest(array['locked', 'at once', 'elsewhere']) as name;
select tests.slider('public', 'lena');
select tests.slider('in hub', 'lena', 'public_hub');
select tests.placement('locked', hub, app.now() - age)
from (values ('ash', interval '3 hours'), ('fir', '2 hours'), ('elm', '1 hour'), ('oak', '0')) as placement (hub, age);
select tests.placement('at once', hub) from unnest(array['elm', 'oak', 'fir']) as hub;
select tests.placement('elsewhere', 'oak', app.now() - interval '1 day'), tests.placement('elsewhere', 'elm');
select tests.placement(post, 'elm') from unnest(array['public', 'in hub']) as post;
select tests.disable_index_scans();

select is(
  tests.value_as(
    viewer,
    format('(select app.displayed_hub(p, %L) from app.posts as p where p.id = %L)', tests.id(hub), tests.id(post))
  ),
  to_jsonb(coalesce(expected, tests.id(name))), title
)
from (
  values
    ('jonas', 'locked', null, null::uuid, 'fir', 'a private post shows the earliest of the viewer''s Hubs'),
    ('maya', 'locked', null, null, 'elm', 'a private post shows each member a Hub of their own'),
    (
      'jonas', 'at once', null, (select id from unnest(tests.ids('elm', 'oak', 'fir')) as id order by id limit 1), null,
      'a private post placed in several Hubs at once shows the lowest Hub id'
    ),
    ('jonas', 'elsewhere', null, null, 'oak', 'another private post shows the earliest of its own Hubs'),
    ('jonas', 'locked', 'oak', null, 'oak', 'a private post shows the requested Hub'),
    ('jonas', 'public', null, null, null, 'a public post shows the global scope to a member of its Hub'),
    ('jonas', 'in hub', null, null, null, 'a public Hub post shows the global scope to a member of its Hub'),
    ('jonas', 'in hub', 'elm', null, 'elm', 'a public Hub post shows the requested Hub'),
    ('lena', 'locked', null, null, null, 'a private post shows no Hub to an author in none of its Hubs'),
    (null, 'public', null, null, null, 'a public post shows the global scope to a guest')
) as c (viewer, post, hub, expected, name, title);
select tests.authenticate_as_guest();
reset role;
select is(app.displayed_hub(p, null), null, 'a private post shows no Hub to a guest, even without RLS')
from app.posts as p where p.id = tests.id('locked');

rollback to empty;

-- insert_ballot seals a vote in one row (docs/product.md V6).
select tests.elm();
select tests.hub('oak', 'jonas');
select tests.slider('trams', 'maya');
-- In this time zone an hour of the wall clock begins at half past.
set local timezone = 'Asia/Kolkata';
select app.insert_ballot(tests.id('trams'), position, tests.ids('elm', 'oak'), tests.vote_key())
from unnest(enum_range(null::app.vote_position)) as position;
select set_eq(
  'select post_id, cast_hour, key_id from app.pending_ballots',
  $$ values (tests.id('trams'), date_trunc('hour', app.now(), 'UTC'), app.key_id(tests.vote_key())) $$,
  'insert_ballot writes the post, the UTC hour and the key id'
);
select bag_eq(
  'select tests.pending_ballots()',
  array(
    select format('trams (%s) for elm, oak', counts)
    from unnest(array['1,0,0,0,0', '0,1,0,0,0', '0,0,1,0,0', '0,0,0,1,0', '0,0,0,0,1']) as counts
  ),
  'the sealing key opens the position and Hubs of each ballot, one row a vote'
);
select bag_eq(
  $$ select tests.pending_ballots(tests.vote_key('another')) $$, array_fill('trams for unknown Hubs'::text, array[5]),
  'another key does not open a ballot'
);
select app.insert_ballot(
  tests.id('trams'), position, array(select tests.id('hub ' || n) from generate_series(1, hub_count) as n),
  tests.vote_key()
)
from unnest(enum_range(null::app.vote_position)) as position
cross join unnest(array[1, 10, 20]) as hub_count;
select results_eq(
  'select octet_length(sealed) - octet_length(app.seal(repeat(''x'', 1024), tests.vote_key())), count(*) from '
  'app.pending_ballots group by 1',
  'values (0, 20::bigint)',
  'sealed ballots of each position and of one to twenty Hubs have the length of 1,024 characters'
);
select is_empty(
  $$ select from app.pending_ballots where sealed::text ~ encode(convert_to('count', 'UTF8'), 'hex') $$,
  'a stored ballot contains no plain text'
);

rollback to empty;

-- require_scope admits members of the requested Hub, and answers before the post is looked up.
-- docs/product.md H7
select tests.elm();
select tests.slider('trams', 'lena');
select tests.placement('trams', 'elm');
select tests.person('nina', 4);
select tests.membership('elm', 'nina');
update app.users set contacts_synced_at = null where id = tests.id('nina');

create function pg_temp.refusals(p_operation text)
returns text[]
language sql
return array(
  select tests.refusal_as(
    caller, format('select api.%I(%L)', p_operation, tests.post_args(post) || tests.hub_args(hub))
  )
  from (
    values
      ('jonas', 'trams', 'elm'), ('lena', 'trams', 'elm'), ('nina', 'trams', 'elm'), (null, 'trams', 'elm'),
      ('jonas', 'trams', 'unknown'), ('lena', 'unknown', 'elm'), ('jonas', 'unknown', 'elm')
  ) as request (caller, post, hub)
);

select is(
  pg_temp.refusals(operation),
  array[
    null, 'PT403 FORBIDDEN', 'PT403 FORBIDDEN', 'PT401 UNAUTHORIZED', 'PT404 HUB_NOT_FOUND', 'PT403 FORBIDDEN',
    'PT404 POST_NOT_FOUND'
  ],
  format('%s with hubId answers a member alone, and does not find an unknown Hub or post', operation)
)
from unnest(array['get_vote_summary', 'get_vote_distribution', 'get_post', 'list_frames']) as operation;

select * from finish();
rollback;
