select plan(3);

select tests.elm();
select tests.person('ben', 4);
select tests.hub('ash', 'ben');
select tests.close_hub('ash');

select tests.act_as('jonas');
select is(
  app.hub_seen(tests.id('elm')), (select app.hub_card(h, app.standing_in(h.id)) from app.hubs as h), 'a Hub as the caller sees it'
);
select throws_ok($$ select app.hub_seen(tests.id('ash')) $$, 'PT404', 'HUB_NOT_FOUND', 'a closed one is not found');
select throws_ok($$ select app.hub_seen(tests.id('unknown')) $$, 'PT404', 'HUB_NOT_FOUND', 'nor is one that never was');

select * from finish();
