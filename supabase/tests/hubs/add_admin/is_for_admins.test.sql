select plan(7);

select tests.elm();
select is(
  tests.refusals('add_admin', tests.in_hub('elm', tests.user('jonas'))), tests.all_but_amara('FORBIDDEN', 'FORBIDDEN'), 'an outsider makes none'
);
select is(
  tests.refusals('remove_admin', tests.in_hub('elm', tests.user('maya'))), tests.all_but_amara('MEMBER_NOT_FOUND', 'FORBIDDEN'),
  'and knows of nobody whose role to take'
);
select is(
  tests.refusals('add_admin', tests.in_hub('elm', tests.user('lena'))), tests.all_but_amara('FORBIDDEN', 'FORBIDDEN') || '{"amara": "MEMBER_NOT_FOUND"}',
  'nobody but a member has a role'
);
select is(
  tests.refusals('remove_admin', tests.in_hub('elm', tests.user('lena'))),
  tests.all_but_amara('MEMBER_NOT_FOUND', 'FORBIDDEN') || '{"amara": "MEMBER_NOT_FOUND"}', 'or loses one'
);
select is(
  tests.refusals('remove_admin', tests.in_hub('elm', tests.user('amara'))),
  tests.all_but_amara('MEMBER_NOT_FOUND', 'FORBIDDEN') || '{"amara": "LAST_ADMIN"}', 'somebody stays admin'
);
select is(tests.refusals('add_admin', tests.in_hub('ash', tests.user('jonas'))), tests.everybody('HUB_NOT_FOUND'), 'in no Hub is any');
select is(tests.refusals('remove_admin', tests.in_hub('ash', tests.user('jonas'))), tests.everybody('HUB_NOT_FOUND'), 'to take away');

select * from finish();
