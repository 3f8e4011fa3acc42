select plan(11);

select tests.elm();
select tests.hub('ash', 'lena');
select tests.post('trams', 'lena');
select tests.post('hidden', 'lena', 'private_locked_hub');
select tests.discussion('locked', 'jonas', 'elm');
update app.posts set is_shareable = false where thought_text in ('locked', 'hidden');

create function pg_temp.args(p_post text, variadic p_hubs text[])
returns jsonb
language sql
return tests.arguments(p_post) || jsonb_build_object('hubIds', to_jsonb(tests.ids(variadic p_hubs)));

select is(
  tests.refusals('share_to_hubs', pg_temp.args('trams', 'elm')), tests.below_level_4() || '{"lena": "FORBIDDEN"}', 'members share into a Hub'
);
select is(tests.refusals('share_to_hubs', pg_temp.args('trams', 'elm', 'ash')), tests.everybody('FORBIDDEN'), 'into each that is named');
select is(tests.refusals('share_to_hubs', pg_temp.args('trams', 'unknown')), tests.everybody('FORBIDDEN'), 'of none there are no members');
select is(
  tests.refusals('share_to_hubs', pg_temp.args('unknown', 'elm')), tests.everybody('POST_NOT_FOUND'), 'no post is not there'
);
select is(
  tests.refusals('share_to_hubs', pg_temp.args('hidden', 'elm')), tests.everybody('POST_NOT_FOUND') || '{"lena": "POST_NOT_SHAREABLE"}', 'nor is one that is hidden'
);
select is(
  tests.refusals('share_to_hubs', pg_temp.args('locked', 'elm')), tests.everybody('POST_NOT_SHAREABLE') || '{"lena": "POST_NOT_FOUND"}', 'one for a single Hub is for no other'
);
select is(
  tests.refusals('share_to_hubs', pg_temp.args('locked', 'unknown')), tests.everybody('POST_NOT_SHAREABLE') || '{"lena": "POST_NOT_FOUND"}', 'whichever'
);
select results_eq('select post_id from app.placements', tests.ids('locked'), 'and nothing is shared');
select tests.hub('oak', 'jonas');
select tests.hub('fir', 'jonas');
select tests.placed('trams', 'fir', app.now() - interval '1 day', p_by => 'lena');
select tests.act_as('jonas');
create temporary table answers as select api.share_to_hubs(pg_temp.args('trams', 'oak', 'fir', 'elm')) as answer;
select is(
  answer,
  jsonb_build_object('postId', tests.id('trams'), 'hubs', jsonb_build_array(
    jsonb_build_object('hubId', tests.id('oak'), 'sharedAt', app.iso(app.now()), 'created', true),
    jsonb_build_object('hubId', tests.id('fir'), 'sharedAt', app.iso(app.now() - interval '1 day'), 'created', false),
    jsonb_build_object('hubId', tests.id('elm'), 'sharedAt', app.iso(app.now()), 'created', true)
  )),
  'it says in their order since when it is there'
)
from answers;
select is(
  (select jsonb_agg(hub -> 'created') from jsonb_array_elements(api.share_to_hubs(pg_temp.args('trams', 'oak', 'fir')) -> 'hubs') as hub), '[false, false]', 'as it does again'
);
select bag_eq(
  $$ select hub_id from app.placements where post_id = tests.id('trams') and kind = 'shared' $$, tests.ids('oak', 'elm'), 'where it is shared'
);

select * from finish();
