select plan(5);

select tests.elm();
select is(tests.refusals('list_members', tests.in_hub('elm')), tests.below_level_4() || '{"lena": "FORBIDDEN"}', 'members see each other');
select is(tests.refusals('list_members', tests.in_hub('elm', '{"q": "amara"}')), tests.below_level_4() || '{"lena": "FORBIDDEN"}', 'and look for each other');
select is(tests.refusals('list_admins', tests.in_hub('elm')), tests.below_level_4() || '{"lena": "FORBIDDEN"}', 'and see who leads');
select is(tests.refusals('list_members', tests.in_hub('ash')), tests.everybody('HUB_NOT_FOUND'), 'in no Hub is nobody');
select is(tests.refusals('list_admins', tests.in_hub('ash')), tests.everybody('HUB_NOT_FOUND'), 'and nobody leads it');

select * from finish();
