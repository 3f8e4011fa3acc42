select plan(5);

select tests.elm();
select tests.slider('trams', 'lena');
select tests.placed('trams', 'elm');
create function pg_temp.refusals(p_operation text)
returns jsonb
language sql
return jsonb_build_array(
  tests.refusal_of('jonas', format('select api.%I(%L)', p_operation, tests.arguments('trams') || tests.in_hub('elm'))),
  tests.refusal_of('lena', format('select api.%I(%L)', p_operation, tests.arguments('trams') || tests.in_hub('elm'))),
  tests.refusal_of(null, format('select api.%I(%L)', p_operation, tests.arguments('trams') || tests.in_hub('elm'))),
  tests.refusal_of('lena', format('select api.%I(%L)', p_operation, tests.arguments('unknown') || tests.in_hub('elm')))
);

select is(pg_temp.refusals(operation), '[null, "PT403 FORBIDDEN", "PT403 FORBIDDEN", "PT404 POST_NOT_FOUND"]', operation)
from unnest(array['get_vote_summary', 'get_vote_distribution', 'get_post', 'list_frames']) as operation;
select is(
  tests.refusal_of('lena', format('select api.get_home_feed(%L)', tests.in_hub('elm'))), 'PT403 FORBIDDEN', 'get_home_feed'
);

select * from finish();
