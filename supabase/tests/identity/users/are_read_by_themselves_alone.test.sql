select plan(3);

select tests.person('maya', 3);
select tests.person('jonas', 3);
select tests.act_as('maya');
select results_eq('select id from app.users', array[tests.id('maya')], 'of all accounts one sees one''s own');
select throws_ok('select device_hash from app.users', '42501', null, 'and not even one''s own device');
select tests.act_as_guest();
select throws_ok('select id from app.users', '42501', null, 'a guest sees no account');

select * from finish();
