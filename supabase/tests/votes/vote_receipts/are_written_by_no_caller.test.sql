select plan(6);

select tests.person('maya', 3);
select tests.slider('trams', 'maya');
select tests.vote('maya', 'trams', 'left');

select tests.act_as('maya');
select throws_ok(
  $$ insert into app.vote_receipts values (tests.id('trams'), tests.id('maya'), date_trunc('minute', app.now())) $$,
  '42501', null, 'nobody writes a receipt without a vote'
);
select throws_ok('update app.vote_receipts set voted_at = voted_at', '42501', null, 'nor changes one');
select throws_ok('delete from app.vote_receipts', '42501', null, 'nor takes a vote back');
select tests.act_as_guest();
select throws_ok(
  $$ insert into app.vote_receipts values (tests.id('trams'), tests.id('maya'), date_trunc('minute', app.now())) $$,
  '42501', null, 'a guest writes none'
);
select throws_ok('update app.vote_receipts set voted_at = voted_at', '42501', null, 'changes none');
select throws_ok('delete from app.vote_receipts', '42501', null, 'and deletes none');

select * from finish();
