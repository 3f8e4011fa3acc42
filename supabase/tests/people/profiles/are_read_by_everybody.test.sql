select plan(2);

select tests.person('maya');
select tests.person('jonas');
select tests.act_as('maya');
select set_eq('select username from app.profiles', array['maya', 'jonas'], 'a member sees every profile');
select tests.act_as_guest();
select set_eq('select username from app.profiles', array['maya', 'jonas'], 'and so does a guest');

select * from finish();
