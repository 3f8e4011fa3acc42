select plan(7);

select tests.elm();
select tests.notification('one', 'jonas', p_actor => 'lena'), tests.notification('other', 'jonas', p_actor => 'lena');
select tests.notification('of maya', 'jonas', p_actor => 'maya'), tests.notification('to lena', 'lena', p_actor => 'jonas');
select tests.block('maya', 'jonas');

select tests.act_as('jonas');
select is(app.mark_read(tests.id('one')), 1::bigint, 'one that is unread');
select is(app.mark_read(tests.id('one')), 0::bigint, 'and no more');
select is(app.mark_read(tests.id('of maya')), 0::bigint, 'none that is hidden');
select is(app.mark_read(tests.id('to lena')), 0::bigint, 'or another''s');
reset role;
select bag_eq('select id, read_at from app.notifications where read_at is not null', $$ values (tests.id('one'), app.now()) $$, 'that one alone');
select is(tests.reads('jonas'), 1::bigint, 'or for null all');
select set_eq($$ select tests.who_may('select app.mark_read(null)') $$, array['authenticated'], 'signed-in people read');

select * from finish();
