select plan(1);

select tests.person('maya');
select tests.session('maya');
select app.end_user(tests.id('maya'));
set local session authorization opine_gateway;
select throws_ok(
  $$ select gateway.enter(tests.claims('maya'), false) $$, 'PT401', 'UNAUTHORIZED', 'an ended account enters no more'
);

select * from finish();
