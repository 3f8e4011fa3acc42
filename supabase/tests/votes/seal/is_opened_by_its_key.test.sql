select plan(8);

create temporary table sealed as
select app.seal('{"position": "left"}', tests.key()) as one, app.seal('{"position": "left"}', tests.key()) as again;
select is(app.unseal(one, app.key_id(tests.key()), array[tests.key()]), '{"position": "left"}', 'what is sealed is opened') from sealed;
select is(app.unseal(one, app.key_id(tests.key()), array[tests.key('new'), tests.key()]), '{"position": "left"}', 'by whichever of the keys it was') from sealed;
select is(app.unseal(one, app.key_id(tests.key()), array[tests.key('new')]), null, 'by no other') from sealed;
select is(app.unseal(one, app.key_id(tests.key()), '{}'), null, 'and not without one') from sealed;
select throws_ok(
  $$ select app.unseal(one, app.key_id(tests.key('new')), array[tests.key('new')]) from sealed $$, '39000', null, 'a key that claims it is refused'
);
select isnt(one, again, 'sealed again it is another') from sealed;
select throws_ok(
  $$ select app.unseal(set_byte(one, octet_length(one) - 5, get_byte(one, octet_length(one) - 5) # 1), app.key_id(tests.key()), array[tests.key()]) from sealed $$,
  '39000', null, 'nobody changes what is sealed'
);
select matches(
  (select pg_get_functiondef('app.seal(text, text)'::regprocedure)), 'cipher-algo=aes256', 'AES of 256 bits'
);

select * from finish();
