select plan(5);

select tests.elm();
select is(
  tests.refusals('list_join_requests', tests.in_hub('elm')), tests.below_level_4() || '{"lena": "FORBIDDEN", "jonas": "FORBIDDEN"}', 'members see none'
);
select is(tests.refusals('list_join_requests', tests.in_hub('ash')), tests.everybody('HUB_NOT_FOUND'), 'in no Hub are any');
select tests.act_as('amara');
select is(tests.refusal('list_join_requests', tests.in_hub('elm', '{"limit": 101}')), 'VALIDATION_FAILED', 'a page holds 100 at most');
select is(tests.refusal('list_join_requests', tests.in_hub('elm', '{"limit": 100}')), null, 'and may');
select is(tests.refusal('list_join_requests', tests.in_hub('elm', '{"cursor": "?"}')), 'VALIDATION_FAILED', 'and follows no foreign cursor');

select * from finish();
