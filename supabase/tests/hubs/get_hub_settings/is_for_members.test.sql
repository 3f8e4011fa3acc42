select plan(4);

select tests.elm();
select is(tests.refusals('get_hub_settings', tests.in_hub('elm')), tests.below_level_4() || '{"lena": "FORBIDDEN"}', 'to read');
select is(
  tests.refusals('update_hub_settings', tests.in_hub('elm', '{"contentMuted": true}')), tests.below_level_4() || '{"lena": "FORBIDDEN"}', 'and to change'
);
select is(tests.refusals('get_hub_settings', tests.in_hub('ash')), tests.everybody('HUB_NOT_FOUND'), 'of no Hub there are any');
select is(
  tests.refusals('update_hub_settings', tests.in_hub('ash', '{"contentMuted": true}')), tests.everybody('HUB_NOT_FOUND'), 'to change'
);

select * from finish();
