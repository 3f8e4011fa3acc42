select plan(4);

select tests.person('one', 1);
select tests.person('two', 2);
select tests.person('three', 3);
prepare publish as select api.create_post('{"thoughtText": "Trams", "visibility": "public"}');

select tests.act_as_guest();
select throws_ok('publish', '42501', null, 'a guest publishes nothing');
select tests.act_as('one');
select throws_ok('publish', 'PT403', 'FORBIDDEN', 'nor does an anonymous user');
select tests.act_as('two');
select throws_ok('publish', 'PT403', 'FORBIDDEN', 'nor a registered one');
select tests.act_as('three');
select lives_ok('publish', 'a phone-confirmed one does');

select * from finish();
