select plan(3);

select tests.person('maya', 4);
select tests.slider('trams', 'maya');
select tests.slider('locked', 'maya', 'private_locked_hub');
insert into app.vote_pools (post_id, slot, left_count, right_count)
values (tests.id('trams'), 0, 1, 2), (tests.id('trams'), 11, 10, 20), (tests.id('locked'), 0, 5, 5);

select tests.act_as_guest();
select is(app.pool_totals(tests.id('trams')), row(0, 11, 0, 22, 0)::app.position_counts, 'a pool is the sum of its slots');
select is(app.pool_totals(tests.id('unknown')), null, 'without any there is nothing to add up');
select is(app.pool_totals(tests.id('locked')), null, 'nor is there for who may not see the post');

select * from finish();
