select plan(7);

select tests.elm();
select tests.hub('ash', 'lena');
create function pg_temp.args(p_visibility text, variadic p_hubs text[])
returns jsonb
language sql
return jsonb_build_object('thoughtText', 'Trams', 'visibility', p_visibility, 'hubIds', to_jsonb(tests.ids(variadic p_hubs)));

select is(
  tests.refusals('create_post', pg_temp.args('private_locked_hub', 'elm')), tests.below_level_4() || '{"lena": "FORBIDDEN"}', 'members post into a Hub'
);
select is(
  tests.refusals('create_post', pg_temp.args('public_hub', 'elm')), tests.below_level_4() || '{"lena": "FORBIDDEN"}', 'whether everybody may read it or not'
);
select is(tests.refusals('create_post', pg_temp.args('public_hub', 'elm', 'ash')), tests.everybody('FORBIDDEN'), 'of every one that is named');
select is(tests.refusals('create_post', pg_temp.args('public_hub', 'unknown')), tests.everybody('FORBIDDEN'), 'of none there are no members');
select is(
  tests.refusals('create_post', pg_temp.args('public', 'elm')), tests.everybody('VALIDATION_FAILED') || '{"nina": "VALIDATION_FAILED"}', 'a public post with hubIds is refused'
);
select is(
  tests.refusals('create_post', '{"thoughtText": "Trams", "visibility": "public_hub"}'), tests.everybody('VALIDATION_FAILED'), 'a Hub post without hubIds is refused'
);
select is_empty('select from app.posts', 'and nothing is published');

select * from finish();
