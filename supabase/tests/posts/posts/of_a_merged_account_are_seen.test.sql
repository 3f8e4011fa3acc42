select plan(2);

select tests.person('maya', 3);
select tests.person('lena', 2);
select tests.post('trams', 'lena');
select app.merge_user(tests.id('lena'), tests.id('maya'));
select tests.act_as_guest();
select results_eq('select id from app.posts', array[tests.id('trams')], 'what has moved to another account is not hidden');
reset role;
select tests.post('late', 'lena');
select tests.act_as_guest();
select results_eq('select id from app.posts', array[tests.id('trams')], 'what has not moved yet is, as long as it is nobody''s');

select * from finish();
