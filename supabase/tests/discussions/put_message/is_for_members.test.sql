select plan(4);

select tests.elm();
select tests.hub('ash', 'lena');
select tests.discussion('trams', 'jonas', 'elm');
select tests.placed('trams', 'ash');
select tests.act_as('lena');
select throws_ok(
  $$ select app.put_message(tests.id('trams in elm'), null, 'Hello', null) $$, 'PT404', 'DISCUSSION_NOT_FOUND', 'of its Hub, not of another'
);
select is(
  tests.error_of($$ select app.put_message(tests.id('unknown'), null, 'Hello', null) $$) - 'details', '{"state": "PT404", "code": "DISCUSSION_NOT_FOUND"}', 'where there is one'
);
reset role;
update app.discussions set last_activity_at = app.now() + interval '1 hour';
select tests.act_as('maya');
select app.put_message(tests.id('trams in elm'), null, 'Hello', null);
select results_eq('select author_id, hub_id from app.messages', $$ values (tests.id('maya'), tests.id('elm')) $$, 'who say it themselves');
select is(last_activity_at, app.now() + interval '1 hour', 'and time does not go back') from app.discussions where hub_id = tests.id('elm');

select * from finish();
