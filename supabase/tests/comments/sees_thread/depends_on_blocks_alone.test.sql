select plan(6);

select tests.elm();
select tests.post('trams', 'lena');
select tests.comment('root', 'jonas', 'trams');
select tests.block('jonas', 'amara');

select tests.act_as_guest();
select ok(app.sees_thread(tests.id('root')), 'a guest sees every thread');
select tests.act_as('maya');
select ok(app.sees_thread(tests.id('root')), 'a member sees the thread of somebody else');
select tests.act_as('amara');
select ok(not app.sees_thread(tests.id('root')), 'the thread of a person who blocked the caller is hidden');
select tests.act_as('jonas');
select ok(app.sees_thread(tests.id('root')), 'the blocker sees a thread of their own');
reset role;
insert into app.suspensions (user_id) values (tests.id('jonas'));
select tests.act_as('maya');
select ok(app.sees_thread(tests.id('root')), 'the thread of a suspended person stays');
reset role;
select set_eq($$ select tests.who_may('select app.sees_thread(null)') $$, array['anon', 'authenticated'], 'the policy asks for guests and members');

select * from finish();
