select plan(2);

select tests.person('maya');
select tests.act_as('maya');
select throws_ok('insert into app.users default values', '42501', null, 'a member makes no account');
select tests.act_as_guest();
select throws_ok('insert into app.users default values', '42501', null, 'nor does a guest');

select * from finish();
