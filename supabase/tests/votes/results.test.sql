begin;
select plan(30);
savepoint empty;

-- get_hub_votes returns the results of each of the viewer's Hubs that has the post (docs/product.md V14).
select tests.elm();
select tests.hub(name, 'jonas') from unnest(array['oak', 'fir', 'bay']) as name;
select tests.hub('ash', 'amara');
select tests.slider('trams', 'lena');
select tests.slider('boats', 'lena');
select tests.placement('trams', hub, app.now() - age)
from (values ('fir', interval '1 hour'), ('elm', '2 hours'), ('ash', '3 hours')) as placement (hub, age);
select tests.placement('boats', hub) from unnest(array['elm', 'oak', 'fir', 'bay']) as hub;
select tests.vote('maya', 'trams', 'left'), tests.vote('jonas', 'boats', 'left');

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
  array(
    select (item #>> '{hub,id}')::uuid
    from jsonb_array_elements(api.get_hub_votes(tests.post_args('boats')) -> 'items') with ordinality as i (item, place)
    order by place
  ),
  hubs, 'get_hub_votes lists Hubs of the same placement time by id, as the post''s card does'
)
from (
  values
    (array(select id from unnest(tests.ids('elm', 'oak', 'fir', 'bay')) as id order by id)),
    (tests.item_ids(jsonb_build_object('items', (app.seen_cards(tests.ids('boats')))[1] -> 'hubs')))
) as c (hubs);
reset role;
select is(
  tests.value_as(viewer, format('api.get_hub_votes(%L)', tests.post_args('trams'))),
  tests.post_args('trams') || '{"items": []}',
  format('get_hub_votes returns no Hub to %s', title)
)
from (values ('lena', 'a user who is in none of the post''s Hubs'), (null, 'a guest')) as c (viewer, title);

rollback to empty;

-- get_my_vote returns the time of a registered user's vote, never the position.
-- docs/product.md V2, V13, V14
select tests.person('maya', 4);
select tests.person('guest', 1);
select tests.person('jonas');
select tests.slider('trams', 'maya');
select tests.slider('locked', 'maya', 'private_locked_hub');
select tests.post('no slider', 'maya');
select tests.vote('jonas', 'trams', 'strong_right');
select is(
  tests.value_as(caller, format('api.get_my_vote(%L)', tests.post_args('trams'))), tests.post_args('trams') || answer,
  title
)
from (
  values
    (
      'jonas', jsonb_build_object('hasVoted', true, 'votedAt', app.iso(date_trunc('minute', app.now()))),
      'get_my_vote returns the minute of the vote and no position'
    ),
    ('maya', '{"hasVoted": false, "votedAt": null}', 'get_my_vote returns no vote of another user')
) as c (caller, answer, title);
select is(
  tests.refusal_as('guest', format('select api.get_my_vote(%L)', tests.post_args('trams'))), 'PT403 FORBIDDEN',
  'get_my_vote is forbidden for an anonymous user'
);
select is(
  tests.refusal_as('jonas', format('select api.%I(%L)', operation, tests.post_args(post))), expected,
  format('%s %s', operation, title)
)
from unnest(array['get_vote_summary', 'get_vote_distribution', 'get_hub_votes', 'get_my_vote']) as operation
cross join (
  values
    ('no slider', 'PT409 POST_NOT_VOTABLE', 'refuses a post without a slider'),
    ('locked', 'PT404 POST_NOT_FOUND', 'hides a private post from a non-member'),
    ('unknown', 'PT404 POST_NOT_FOUND', 'does not find an unknown post')
) as c (post, expected, title);

rollback to empty;

-- get_vote_summary and get_vote_distribution add up the pool and the slots of a scope.
-- docs/product.md V12-V14
select tests.elm();
select tests.hub('ash', 'lena');
select tests.slider('bikes', 'maya');
select tests.slider('trams', 'maya', 'public_hub');
select tests.placement('trams', hub) from unnest(array['elm', 'ash']) as hub;
select tests.slider('locked', 'maya', 'private_locked_hub');
select tests.placement('locked', 'elm');
insert into app.vote_pools (post_id, hub_id, counts)
values
  (tests.id('trams'), null, (1, 2, 3, 4, 5)), (tests.id('trams'), tests.id('elm'), (0, 3, 0, 4, 0)),
  (tests.id('trams'), tests.id('ash'), (0, 0, 0, 1, 0)), (tests.id('locked'), tests.id('elm'), (0, 5, 0, 5, 0));
insert into app.vote_slots (post_id, hub_id, slot, counts)
values
  (tests.id('trams'), null, 11, (10, 20, 30, 40, 50)), (tests.id('trams'), null, 12, (10, 20, 30, 40, 50)),
  (tests.id('trams'), tests.id('elm'), 11, (0, 3, 0, 4, 0)), (tests.id('trams'), tests.id('ash'), 11, (0, 0, 0, 1, 0));
create function pg_temp.result(p_viewer text, p_post text, p_hub text default null)
returns jsonb
language sql
return tests.value_as(p_viewer, format(
  'api.get_vote_summary(%1$L) || api.get_vote_distribution(%1$L)', tests.post_args(p_post) || tests.hub_args(p_hub)
)) - 'postId';
select is(
  pg_temp.result(null, 'trams'),
  '{
    "scope": {"type": "global", "hubId": null}, "totalVotes": 315,
    "summary": {"totalVotes": 315, "resultsVisible": true, "leftCount": 63, "neutralCount": 63, "rightCount": 189},
    "distribution": [
      {"position": "strong_left", "count": 21}, {"position": "left", "count": 42}, {"position": "neutral", "count": 63},
      {"position": "right", "count": 84}, {"position": "strong_right", "count": 105}
    ]
  }',
  'a guest sees the global votes on a public post, from left to right and in three buckets'
);
select is(
  pg_temp.result(null, 'bikes'),
  '{
    "scope": {"type": "global", "hubId": null}, "totalVotes": 0, "distribution": [],
    "summary": {"totalVotes": 0, "resultsVisible": false, "leftCount": null, "neutralCount": null, "rightCount": null}
  }',
  'results are empty before the first vote'
);
select is(
  pg_temp.result('jonas', 'trams', 'elm') - 'distribution',
  jsonb_build_object('scope', jsonb_build_object('type', 'hub', 'hubId', tests.id('elm')), 'totalVotes', 14, 'summary',
    '{"totalVotes": 14, "resultsVisible": true, "leftCount": 6, "neutralCount": 0, "rightCount": 8}'::jsonb),
  'a member sees the votes of their Hub'
);
delete from app.memberships where user_id = tests.id('maya');
select is(
  tests.value_as(viewer, format('app.total_of(app.pool_totals(%L, %L))', tests.id(post), tests.id(hub))),
  expected::jsonb, title
)
from (
  values
    (null, 'unknown', null, '0', 'an unknown post has no votes'),
    (null, 'trams', 'elm', '0', 'pool_totals shows a guest no votes of a Hub'),
    ('jonas', 'locked', null, '0', 'a private post has no global votes'),
    ('jonas', 'trams', 'ash', '0', 'pool_totals shows a member no votes of another Hub'),
    ('maya', 'trams', 'elm', '0', 'pool_totals shows a former member no votes of the Hub'),
    ('lena', 'trams', 'ash', '2', 'pool_totals shows a member the votes of their Hub')
) as c (viewer, post, hub, expected, title);
select is(
  array[app.vote_distribution(row(0, 0, 0, 0, 0)), app.vote_summary(row(0, 0, 0, 0, 0))]::jsonb[],
  array['[]', app.vote_summary(null)]::jsonb[], 'counts of zero are shown like no counts'
);

select * from finish();
rollback;
