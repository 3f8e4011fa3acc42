select plan(5);

select tests.elm();
select tests.hub('ash', 'lena');
select tests.link('open', 'elm');
select tests.link('used up', 'elm', 1);
select tests.link('over', 'elm', null, app.now());
select tests.link('elsewhere', 'ash');
update app.invite_links set use_count = 1, created_at = app.now() - interval '1 day' where id = tests.id('used up');

select tests.act_as('maya');
select is(tests.listed(api.list_invite_links(tests.in_hub('elm'))), tests.ids('open', 'used up'), 'what has not expired, newest first');
select is(
  api.list_invite_links(tests.in_hub('elm')) #> '{items,1}',
  jsonb_build_object(
    'id', tests.id('used up'), 'token', null, 'url', null, 'expiresAt', app.iso(app.now() + interval '7 days'), 'maxUses', 1, 'useCount', 1,
    'createdAt', app.iso(app.now() - interval '1 day')
  ),
  'without the address, and with how often it was used'
);
select is(
  tests.listed_in_parts('list_invite_links', tests.in_hub('elm')), tests.ids('open', 'used up'), 'one after the other too'
);
select is(
  tests.listed(jsonb_build_object('items', app.listed_links(array[(null, tests.id('used up')), (null, tests.id('open'))]::app.list_entry[]))),
  tests.ids('used up', 'open'), 'links are in the order they are given'
);
select is(app.listed_links('{}'), '[]', 'none are none');

select * from finish();
