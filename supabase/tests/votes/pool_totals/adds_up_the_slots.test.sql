select plan(6);

select tests.elm();
select tests.slider('trams', 'maya');
select tests.slider('locked', 'maya', 'private_locked_hub');
select tests.placed('locked', 'elm');
insert into app.vote_pools (post_id, hub_id, left_count, right_count)
values (tests.id('trams'), null, 1, 2), (tests.id('trams'), tests.id('elm'), 3, 4), (tests.id('locked'), tests.id('elm'), 5, 5);
insert into app.vote_slots (post_id, hub_id, slot, left_count, right_count)
values (tests.id('trams'), null, 11, 10, 20), (tests.id('trams'), tests.id('elm'), 11, 30, 40);

select tests.act_as_guest();
select is(app.pool_totals(tests.id('trams'), null), row(0, 11, 0, 22, 0)::app.position_counts, 'a pool with its slots');
select is(app.total_of(app.pool_totals(tests.id('unknown'), null)), 0::bigint, 'without any there is nothing to add up');
select is(app.total_of(app.pool_totals(tests.id('trams'), tests.id('elm'))), 0::bigint, 'nor is there in a Hub for who is not in it');
select is(app.total_of(app.pool_totals(tests.id('locked'), null)), 0::bigint, 'or on a private post, for everybody');
select tests.act_as('jonas');
select is(app.pool_totals(tests.id('trams'), tests.id('elm')), row(0, 33, 0, 44, 0)::app.position_counts, 'its members see that of a Hub');
select is(app.total_of(app.pool_totals(tests.id('locked'), null)), 0::bigint, 'not even for its members');

select * from finish();
