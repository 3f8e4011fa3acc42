begin;
select plan(40);
savepoint empty;

-- get_hub_votes returns the results of each of the viewer's Hubs that has the post.
select tests.elm();
select tests.hub(name, 'jonas') from unnest(array['oak', 'fir', 'bay']) as name;
select tests.hub('ash', 'amara');
select tests.slider('trams', 'lena');
select tests.slider('boats', 'lena');
select tests.placement('trams', hub, app.now() - age)
from (values ('fir', interval '1 hour'), ('elm', '2 hours'), ('ash', '3 hours')) as placement (hub, age);
select tests.placement('boats', hub) from unnest(array['elm', 'oak', 'fir', 'bay']) as hub;
select tests.post('no slider', 'lena');
select tests.slider('locked', 'maya', 'private_locked_hub');
select tests.placement('locked', 'elm');
select tests.vote('maya', 'trams', 'left'), tests.vote('jonas', 'boats', 'left');

create function pg_temp.hub_ids(p_hubs jsonb, variadic p_path text[])
returns uuid[]
language sql
return array(
  select (item #>> p_path)::uuid from jsonb_array_elements(p_hubs) with ordinality as listed (item, place) order by place
);

select tests.authenticate_as('jonas');
select is(
  api.get_hub_votes(tests.post_args('trams')),
  tests.post_args('trams') || jsonb_build_object('items', jsonb_build_array(
    jsonb_build_object(
      'hub', jsonb_build_object('id', tests.id('elm'), 'name', 'elm'),
      'summary', '{"totalVotes": 1, "resultsVisible": true, "leftCount": 1, "neutralCount": 0, "rightCount": 0}'::jsonb,
      'distribution', app.vote_distribution(row(0, 1, 0, 0, 0))
    ),
    jsonb_build_object(
      'hub', jsonb_build_object('id', tests.id('fir'), 'name', 'fir'),
      'summary', app.vote_summary(null),
      'distribution', '[]'::jsonb
    )
  )),
  'get_hub_votes lists the viewer''s Hubs in the order of placement'
);
select tests.disable_index_scans();
select is(
  pg_temp.hub_ids(api.get_hub_votes(tests.post_args('boats')) -> 'items', 'hub', 'id'),
  array(select id from unnest(tests.ids('elm', 'oak', 'fir', 'bay')) as id order by id),
  'get_hub_votes lists Hubs of the same placement time by id'
);
select is(
  pg_temp.hub_ids(api.get_hub_votes(tests.post_args('boats')) -> 'items', 'hub', 'id'),
  (select pg_temp.hub_ids(c.card -> 'hubs', 'id') from app.post_cards(tests.ids('boats')) as c),
  'get_hub_votes lists Hubs in the order of the post''s card'
);
select tests.authenticate_as('lena');
select is(api.get_hub_votes(tests.post_args('trams')) -> 'items', '[]', 'get_hub_votes returns no Hub that the viewer is not in');
select is(tests.refusal('get_hub_votes', tests.post_args(post)), expected, title)
from (
  values
    ('locked', 'POST_NOT_FOUND', 'get_hub_votes hides a private post from a non-member'),
    ('unknown', 'POST_NOT_FOUND', 'get_hub_votes does not find an unknown post'),
    ('no slider', 'POST_NOT_VOTABLE', 'get_hub_votes refuses a post without a slider')
) as c (post, expected, title);
select tests.authenticate_as_guest();
select is(
  api.get_hub_votes(tests.post_args('trams')), tests.post_args('trams') || '{"items": []}',
  'get_hub_votes returns no Hub to a guest'
);
select is(
  tests.refusal('get_hub_votes', tests.post_args('no slider')), 'POST_NOT_VOTABLE',
  'get_hub_votes refuses a guest a post without a slider'
);

rollback to empty;

-- get_my_vote returns the time of a registered user's vote, never the position.
select tests.person('maya', 4);
select tests.person('guest', 1);
select tests.person('jonas');
select tests.slider('trams', 'maya');
select tests.slider('locked', 'maya', 'private_locked_hub');
select tests.post('no slider', 'maya');
select tests.vote('jonas', 'trams', 'strong_right');

select tests.authenticate_as('jonas');
select is(
  api.get_my_vote(tests.post_args('trams')),
  tests.post_args('trams') || jsonb_build_object('hasVoted', true, 'votedAt', app.iso(date_trunc('minute', app.now()))),
  'get_my_vote returns the minute of the vote and no position'
);
select tests.authenticate_as('maya');
select is(
  api.get_my_vote(tests.post_args('trams')), tests.post_args('trams') || '{"hasVoted": false, "votedAt": null}',
  'get_my_vote returns no vote of another user'
);
reset role;
select is(tests.refusal_as(caller, format('select api.get_my_vote(%L)', tests.post_args(post))), expected, title)
from (
  values
    ('guest', 'trams', 'PT403 FORBIDDEN', 'get_my_vote is forbidden for an anonymous user'),
    ('jonas', 'locked', 'PT404 POST_NOT_FOUND', 'get_my_vote hides a private post from a non-member'),
    ('jonas', 'no slider', 'PT409 POST_NOT_VOTABLE', 'get_my_vote refuses a post without a slider')
) as c (caller, post, expected, title);

rollback to empty;

-- get_vote_summary and get_vote_distribution are open to each viewer of the post.
select tests.person('maya', 4);
select tests.slider('trams', 'maya');
select tests.slider('bikes', 'maya');
select tests.slider('locked', 'maya', 'private_locked_hub');
select tests.post('no slider', 'maya');
select tests.vote('maya', 'trams', 'left');

select tests.authenticate_as_guest();
select is(
  api.get_vote_summary(tests.post_args('trams')),
  tests.post_args('trams') || '{"scope": {"type": "global", "hubId": null},
    "summary": {"totalVotes": 1, "resultsVisible": true, "leftCount": 1, "neutralCount": 0, "rightCount": 0}}',
  'get_vote_summary shows a guest the global result of a public post'
);
select is(
  api.get_vote_distribution(tests.post_args('trams')) #> '{distribution,1}', '{"position": "left", "count": 1}',
  'get_vote_distribution shows a guest the counts of a public post'
);
select is(
  api.get_vote_distribution(tests.post_args('bikes')),
  tests.post_args('bikes') || '{"scope": {"type": "global", "hubId": null}, "totalVotes": 0, "distribution": []}',
  'get_vote_distribution is empty before the first vote'
);
reset role;
select is(
  tests.refusal_as(null, format('select api.%I(%L)', operation, tests.post_args(post))), expected,
  format('%s %s', operation, title)
)
from unnest(array['get_vote_summary', 'get_vote_distribution']) as operation
cross join (
  values
    ('no slider', 'PT409 POST_NOT_VOTABLE', 'refuses a post without a slider'),
    ('locked', 'PT404 POST_NOT_FOUND', 'hides a private post from a guest'),
    ('unknown', 'PT404 POST_NOT_FOUND', 'does not find an unknown post')
) as c (post, expected, title);

rollback to empty;

-- pool_totals adds up pool and slots of a scope that the viewer may see.
select tests.elm();
select tests.hub('ash', 'lena');
select tests.slider('trams', 'maya', 'public_hub');
select tests.placement('trams', hub) from unnest(array['elm', 'ash']) as hub;
select tests.slider('locked', 'maya', 'private_locked_hub');
select tests.placement('locked', 'elm');
insert into app.vote_pools (post_id, hub_id, strong_left_count, left_count, neutral_count, right_count, strong_right_count)
values
  (tests.id('trams'), null, 1, 2, 3, 4, 5), (tests.id('trams'), tests.id('elm'), 0, 3, 0, 4, 0),
  (tests.id('trams'), tests.id('ash'), 0, 0, 0, 1, 0), (tests.id('locked'), tests.id('elm'), 0, 5, 0, 5, 0);
insert into app.vote_slots (post_id, hub_id, slot, strong_left_count, left_count, neutral_count, right_count, strong_right_count)
values
  (tests.id('trams'), null, 11, 10, 20, 30, 40, 50), (tests.id('trams'), null, 12, 10, 20, 30, 40, 50),
  (tests.id('trams'), tests.id('elm'), 11, 0, 3, 0, 4, 0), (tests.id('trams'), tests.id('ash'), 11, 0, 0, 0, 1, 0);

create function pg_temp.totals(p_viewer text, p_post text, p_hub text)
returns text
language plpgsql
as $$
declare
  v_totals text;
begin
  if p_viewer is null then
    perform tests.authenticate_as_guest();
  else
    perform tests.authenticate_as(p_viewer);
  end if;
  v_totals := nullif(app.pool_totals(tests.id(p_post), tests.id(p_hub))::text, '(,,,,)');
  perform set_config('role', 'none', true);
  return v_totals;
end
$$;

select is(pg_temp.totals(viewer, post, hub), expected, title)
from (
  values
    (null, 'trams', null, '(21,42,63,84,105)', 'a guest sees the global votes of pool and slots'),
    (null, 'unknown', null, null, 'an unknown post has no votes'),
    (null, 'trams', 'elm', null, 'a guest does not see the votes of a Hub'),
    (null, 'locked', null, null, 'a private post shows a guest no global votes'),
    ('jonas', 'locked', null, null, 'a private post shows a member no global votes'),
    ('jonas', 'trams', null, '(21,42,63,84,105)', 'a member of a Hub sees the global votes'),
    ('jonas', 'trams', 'elm', '(0,6,0,8,0)', 'a member sees the votes of their Hub'),
    ('jonas', 'trams', 'ash', null, 'a member does not see the votes of another Hub')
) as c (viewer, post, hub, expected, title);
delete from app.memberships where user_id = tests.id('jonas');
select is(pg_temp.totals('jonas', 'trams', 'elm'), null, 'a former member does not see the votes of the Hub');
select is(pg_temp.totals('lena', 'trams', 'ash'), '(0,0,0,2,0)', 'a remaining member still sees the votes of their Hub');

rollback to empty;

-- total_of, vote_distribution and vote_summary describe counts.
select is(app.total_of(row(1, 20, 300, 4000, 50000)), 54321::bigint, 'total_of adds up all five positions');
select is(app.total_of(null), 0::bigint, 'total_of no counts is zero');
select is(
  app.vote_distribution(row(1, 20, 300, 4000, 50000)),
  '[{"position": "strong_left", "count": 1}, {"position": "left", "count": 20}, {"position": "neutral", "count": 300},
    {"position": "right", "count": 4000}, {"position": "strong_right", "count": 50000}]',
  'vote_distribution lists the five positions from left to right'
);
select is(app.vote_distribution(row(0, 0, 0, 0, 0)), '[]', 'vote_distribution without a vote is empty');
select is(app.vote_summary(counts), expected, title)
from (
  values
    (
      row(1, 20, 300, 4000, 50000)::app.position_counts,
      '{"totalVotes": 54321, "resultsVisible": true, "leftCount": 21, "neutralCount": 300, "rightCount": 54000}'::jsonb,
      'vote_summary adds up left, neutral and right positions'
    ),
    (
      row(0, 0, 1, 0, 0)::app.position_counts,
      '{"totalVotes": 1, "resultsVisible": true, "leftCount": 0, "neutralCount": 1, "rightCount": 0}',
      'vote_summary shows results from the first vote'
    ),
    (
      row(0, 0, 0, 0, 0)::app.position_counts,
      '{"totalVotes": 0, "resultsVisible": false, "leftCount": null, "neutralCount": null, "rightCount": null}',
      'vote_summary without a vote has no bucket counts'
    )
) as c (counts, expected, title);

select * from finish();
rollback;
