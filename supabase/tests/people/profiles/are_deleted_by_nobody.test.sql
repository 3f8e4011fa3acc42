select plan(2);

select tests.person('maya');
select tests.act_as('maya');
select throws_ok('delete from app.profiles', '42501', null, 'a member deletes no profile, not even their own');
select tests.act_as_guest();
select throws_ok('delete from app.profiles', '42501', null, 'nor does a guest');

select * from finish();
