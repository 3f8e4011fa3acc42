select plan(5);

select tests.person('lena');
select tests.slider('trams', 'lena');
insert into app.users (id) select tests.id('voter ' || n) from generate_series(1, 100) as n;
insert into app.vote_receipts (post_id, user_id, voted_at)
select tests.id('trams'), tests.id('voter ' || n), date_trunc('minute', app.now()) from generate_series(1, 100) as n;
insert into app.fresh_votes (post_id, user_id, cast_at)
select tests.id('trams'), tests.id('voter ' || n), app.now() + n * interval '1 second' from generate_series(1, 100) as n;
select tests.vote('lena', 'trams', 'left');
update app.fresh_votes set cast_at = app.now() + interval '101 seconds' where user_id = tests.id('lena');
select ok(app.fold_receipts(), 'a hundred at a time: there may be more');
select is(count(baseline), 100::bigint, 'of those who voted first') from app.vote_receipts where user_id <> tests.id('lena');
select bag_eq($$ select tests.baselines('trams') $$, array['lena: not ranked'], 'the rest waits');
select ok(not app.fold_receipts(), 'for the next time');
select bag_eq($$ select tests.baselines('trams') $$, array['lena: 101'], 'and goes on from there');

select * from finish();
