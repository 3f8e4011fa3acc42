select plan(4);

select tests.elm();
select is(
  tests.refusals('leave_hub', tests.in_hub('elm')), tests.below_level_4() || '{"lena": "FORBIDDEN", "amara": "LAST_ADMIN"}', 'but for the last admin'
);
select is(tests.refusals('leave_hub', tests.in_hub('ash')), tests.everybody('HUB_NOT_FOUND'), 'of a Hub that is there');
select tests.act_as('jonas');
select is(api.leave_hub(tests.in_hub('elm')), '{}', 'it answers nothing');
reset role;
select set_eq($$ select tests.members('elm') $$, array['amara: admin', 'maya: manager'], 'who leaves is none any more');

select * from finish();
