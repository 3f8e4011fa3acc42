select plan(6);

select tests.elm();
select tests.post('trams', 'lena');
select tests.comment('root', 'jonas', 'trams');
select tests.comment('reply', 'maya', 'trams', 'root');
select tests.block('jonas', 'amara');
select tests.act_as_guest();
select ok(app.sees_comment(tests.id('root')), 'a root');
select ok(app.sees_comment(tests.id('reply')), 'or a reply');
select ok(not app.sees_comment(tests.id('unknown')), 'that is there');
select tests.act_as('amara');
select ok(not app.sees_comment(tests.id('root')), 'and not hidden');
select ok(not app.sees_comment(tests.id('reply')), 'by itself or by its root');
reset role;
select set_eq($$ select tests.who_may('select app.sees_comment(null)') $$, array['anon', 'authenticated'], 'the policy asks for everybody');

select * from finish();
