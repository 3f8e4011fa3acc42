select plan(5);

select tests.elm();
select is(
  tests.refusals('remove_member', tests.in_hub('elm', tests.user('jonas'))), tests.all_but_amara('MEMBER_NOT_FOUND', 'FORBIDDEN'),
  'an outsider knows of nobody to remove'
);
select is(
  tests.refusals('remove_member', tests.in_hub('elm', tests.user('amara'))),
  tests.all_but_amara('MEMBER_NOT_FOUND', 'FORBIDDEN') || '{"amara": "LAST_ADMIN"}', 'the last admin stays'
);
select is(tests.refusals('remove_member', tests.in_hub('ash', tests.user('jonas'))), tests.everybody('HUB_NOT_FOUND'), 'in no Hub is anybody');
select tests.act_as('amara');
select is(api.remove_member(tests.in_hub('elm', tests.user('jonas'))), '{}', 'it answers nothing');
reset role;
select set_eq($$ select tests.members('elm') $$, array['amara: admin', 'maya: manager'], 'who is removed is none any more');

select * from finish();
