select plan(3);

select tests.elm();
select tests.discussion('trams', 'amara', 'elm');
select tests.message('hers', 'maya', 'trams in elm');
select tests.message('his', 'jonas', 'trams in elm', 'hers');
delete from app.memberships where user_id = tests.id('jonas');
select tests.act_as('jonas');
select is_empty('select from app.messages', 'who has left sees no message');
select results_eq(
  'select app.own_messages()',
  $$ values (jsonb_build_object(
    'id', tests.id('his'), 'hubId', tests.id('elm'), 'text', 'his', 'assetId', null, 'createdAt', app.iso(app.now())
  )) $$,
  'and has their own words, not what they answered'
);
select tests.act_as('lena');
select is_empty('select app.own_messages()', 'who said nothing has none');

select * from finish();
