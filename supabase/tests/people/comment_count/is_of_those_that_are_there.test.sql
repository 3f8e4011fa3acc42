select plan(4);

select tests.person(name, 3) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.post('trams', 'lena');
select tests.comment('root', 'jonas', 'trams');
select tests.comment('reply', 'jonas', 'trams', 'root');
select tests.comment('hers', 'maya', 'trams', 'root');
select tests.comment('deleted', 'maya', 'trams', 'root');
select app.erase_comment(tests.id('deleted'));
select tests.block('lena', 'maya');

select tests.act_as('maya');
select is(app.comment_count(tests.id('jonas')), 2::bigint, 'comments and replies, wherever they are');
select tests.act_as_guest();
select is(app.comment_count(tests.id('maya')), 1::bigint, 'but for those that are gone');
select is(app.comment_count(tests.id('lena')), 0::bigint, 'who has said nothing has none');
reset role;
select set_eq($$ select tests.who_may('select app.comment_count(null)') $$, array['anon', 'authenticated'], 'profiles tell it to everybody');

select * from finish();
