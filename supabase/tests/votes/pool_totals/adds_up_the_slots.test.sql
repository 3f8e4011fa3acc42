select plan(6);

select tests.elm();
select tests.slider('trams', 'maya');
select tests.slider('locked', 'maya', 'private_locked_hub');
select tests.placed('locked', 'elm');
insert into app.vote_pools (post_id, hub_id, strong_left_count, left_count, neutral_count, right_count, strong_right_count)
values
  (tests.id('trams'), null, 1, 2, 3, 4, 5), (tests.id('trams'), tests.id('elm'), 0, 3, 0, 4, 0), (tests.id('locked'), tests.id('elm'), 0, 5, 0, 5, 0);
insert into app.vote_slots (post_id, hub_id, slot, strong_left_count, left_count, neutral_count, right_count, strong_right_count)
values
  (tests.id('trams'), null, 11, 10, 20, 30, 40, 50), (tests.id('trams'), null, 12, 10, 20, 30, 40, 50),
  (tests.id('trams'), tests.id('elm'), 11, 0, 3, 0, 4, 0);

select tests.act_as_guest();
select is(app.pool_totals(tests.id('trams'), null), row(21, 42, 63, 84, 105)::app.position_counts, 'a pool with its slots');
select is(app.total_of(app.pool_totals(tests.id('unknown'), null)), 0::bigint, 'without any there is nothing to add up');
select is(app.total_of(app.pool_totals(tests.id('trams'), tests.id('elm'))), 0::bigint, 'nor is there in a Hub for who is not in it');
select is(app.total_of(app.pool_totals(tests.id('locked'), null)), 0::bigint, 'or on a private post, for everybody');
select tests.act_as('jonas');
select is(app.pool_totals(tests.id('trams'), tests.id('elm')), row(0, 6, 0, 8, 0)::app.position_counts, 'its members see that of a Hub');
select is(app.total_of(app.pool_totals(tests.id('locked'), null)), 0::bigint, 'not even for its members');

select * from finish();
