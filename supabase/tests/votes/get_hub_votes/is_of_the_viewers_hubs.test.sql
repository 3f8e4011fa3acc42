select plan(9);

select tests.elm();
select tests.hub(name, 'jonas') from unnest(array['oak', 'fir', 'bay']) as name;
select tests.hub('ash', 'amara');
select tests.slider('trams', 'lena');
select tests.slider('boats', 'lena');
select tests.placed('trams', 'fir', app.now() - interval '1 hour'), tests.placed('trams', 'elm', app.now() - interval '2 hours'), tests.placed('trams', 'ash', app.now() - interval '3 hours');
select tests.placed('boats', hub) from unnest(array['elm', 'oak', 'fir', 'bay']) as hub;
select tests.post('no slider', 'lena');
select tests.slider('locked', 'maya', 'private_locked_hub');
select tests.placed('locked', 'elm');
select tests.vote('maya', 'trams', 'left'), tests.vote('jonas', 'boats', 'left');

select tests.act_as('jonas');
select is(
  api.get_hub_votes(tests.arguments('trams')),
  tests.arguments('trams') || jsonb_build_object('items', jsonb_build_array(
    jsonb_build_object(
      'hub', jsonb_build_object('id', tests.id('elm'), 'name', 'elm'),
      'summary', '{"totalVotes": 1, "resultsVisible": true, "leftCount": 1, "neutralCount": 0, "rightCount": 0}'::jsonb,
      'distribution', app.vote_distribution(row(0, 1, 0, 0, 0))
    ),
    jsonb_build_object(
      'hub', jsonb_build_object('id', tests.id('fir'), 'name', 'fir'), 'summary', app.vote_summary(null), 'distribution', '[]'::jsonb
    )
  )),
  'of each of their Hubs where the post is, in the order in which it came there'
);
select tests.without_indexes();
select is(
  array(select (item #>> '{hub,id}')::uuid from jsonb_array_elements(api.get_hub_votes(tests.arguments('boats')) -> 'items') with ordinality as listed (item, place) order by place),
  array(select id from unnest(tests.ids('elm', 'oak', 'fir', 'bay')) as id order by id), 'where that was at once by their ids'
);
select is(
  array(select hub ->> 'id' from app.post_cards(tests.ids('boats')) as c cross join jsonb_array_elements(c.card -> 'hubs') with ordinality as listed (hub, place) order by place),
  array(select item #>> '{hub,id}' from jsonb_array_elements(api.get_hub_votes(tests.arguments('boats')) -> 'items') with ordinality as listed (item, place) order by place),
  'as on its card'
);
select tests.act_as('lena');
select is(api.get_hub_votes(tests.arguments('trams')) -> 'items', '[]', 'who is in none of them sees none');
select is(tests.refusal('get_hub_votes', tests.arguments('locked')), 'POST_NOT_FOUND', 'of a hidden post');
select is(tests.refusal('get_hub_votes', tests.arguments('unknown')), 'POST_NOT_FOUND', 'and of none there is nothing');
select is(tests.refusal('get_hub_votes', tests.arguments('no slider')), 'POST_NOT_VOTABLE', 'nor without a slider');
select tests.act_as_guest();
select is(api.get_hub_votes(tests.arguments('trams')), tests.arguments('trams') || '{"items": []}', 'a guest sees none');
select is(tests.refusal('get_hub_votes', tests.arguments('no slider')), 'POST_NOT_VOTABLE', 'of a post without a slider either');

select * from finish();
