select plan(6);

select tests.elm();
select tests.discussion('trams', 'jonas', 'elm');
select is(
  tests.refusals('get_home_feed', tests.in_hub('elm')),
  '{"guest": "FORBIDDEN", "signed out": "UNAUTHORIZED", "nina": "FORBIDDEN", "lena": "FORBIDDEN"}', 'everybody else is refused'
);
select is(
  tests.refusals('get_home_feed', tests.in_hub('ash')) - 'signed out', tests.everybody('FORBIDDEN') - 'signed out' || '{"guest": "FORBIDDEN", "nina": "FORBIDDEN"}',
  'as is everybody from a Hub that is none'
);
select is(tests.refusals('get_home_feed', '{"hubId": null}'), '{"signed out": "UNAUTHORIZED"}', 'without a Hub everybody gets a feed, but an ended session');
select tests.act_as('lena');
select throws_ok($$ select api.get_home_feed(tests.in_hub('elm')) $$, 'PT403', 'FORBIDDEN', 'which is no error of theirs');
select tests.act_as('maya');
select is(tests.listed(api.get_home_feed(tests.in_hub('elm'))), tests.ids('trams'), 'members read it');
reset role;
select results_eq('select user_id from app.memberships where seen_at is not null', tests.ids('maya'), 'and have used the Hub by that');

select * from finish();
