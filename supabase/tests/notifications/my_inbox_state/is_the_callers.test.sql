select plan(2);

select tests.person('maya'), tests.person('jonas');
select tests.notification('hers', 'maya'), tests.notification('another', 'maya'), tests.notification('his', 'jonas');
select tests.act_as('maya');
select is(app.my_inbox_state()::text, '(2,2)', 'how many are unread, and how new that is');
reset role;
select set_eq($$ select tests.who_may('select app.my_inbox_state()') $$, array['authenticated'], 'signed-in people ask');

select * from finish();
