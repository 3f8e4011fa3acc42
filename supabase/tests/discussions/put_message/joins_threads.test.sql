select plan(6);

select tests.elm();
select tests.discussion('trams', 'jonas', 'elm');
select tests.discussion('bikes', 'jonas', 'elm');
select tests.message('root', 'jonas', 'trams in elm');
select tests.message('other root', 'jonas', 'trams in elm');
select tests.message('elsewhere', 'jonas', 'bikes in elm');

select tests.act_as('maya');
create temporary table replies as select app.put_message(tests.id('trams in elm'), tests.id('root'), 'A reply', null) as reply;
select is(m.parent_id, tests.id('root'), 'a reply is below its root') from replies join app.messages as m on m.id = reply;
create temporary table answers as select app.put_message(tests.id('trams in elm'), reply, 'A reply to it', null) as id from replies;
select is(m.parent_id, tests.id('root'), 'and so is a reply to it') from answers join app.messages as m using (id);
select set_eq(
  'select id, reply_count from app.messages where parent_id is null',
  $$ values (tests.id('root'), 2), (tests.id('other root'), 0), (tests.id('elsewhere'), 0) $$, 'which counts them'
);
select results_eq(
  $$ select message_count from app.discussions where id = tests.id('trams in elm') $$, 'values (2)', 'as does the discussion'
);
select throws_ok(
  $$ select app.put_message(tests.id('trams in elm'), tests.id('elsewhere'), 'Lost', null) $$, 'PT404', 'MESSAGE_NOT_FOUND',
  'what is said elsewhere is not replied to'
);
select is(
  tests.error_of($$ select app.put_message(tests.id('trams in elm'), tests.id('unknown'), 'Lost', null) $$) ->> 'code', 'MESSAGE_NOT_FOUND',
  'nor what was never said'
);

select * from finish();
