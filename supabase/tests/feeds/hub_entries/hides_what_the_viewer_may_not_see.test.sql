select plan(3);

select tests.elm();
select tests.discussion('hers', 'maya', 'elm', app.now() - interval '1 day');
select tests.discussion('his', 'jonas', 'elm', app.now() - interval '2 days');
select tests.discussion('of amara', 'amara', 'elm', app.now() - interval '3 days');
select tests.block('maya', 'jonas');

select tests.act_as('jonas');
select is(tests.listed(api.get_hub_feed(tests.in_hub('elm'))), tests.ids('his', 'of amara'), 'posts across a block are not in a Hub feed');
select is(tests.listed_in_parts('get_hub_feed', tests.in_hub('elm')), tests.ids('his', 'of amara'), 'and is full without it');
select is(
  tests.listed(api.list_discussions(tests.in_hub('elm'))), tests.ids('hers in elm', 'his in elm', 'of amara in elm'), 'discussions are not touched by that'
);

select * from finish();
