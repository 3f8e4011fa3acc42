select plan(2);

select tests.person(name) from unnest(array['maya', 'jonas', 'lena']) as name;
select app.emit('user_followed', tests.id('maya'), tests.id('jonas'));
select results_eq($$ select tests.told('jonas') $$, array['user_followed by maya'], 'in the same transaction');
select is(count(*), 1::bigint, 'and nobody else') from app.notifications;

select * from finish();
