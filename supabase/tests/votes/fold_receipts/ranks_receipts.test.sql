select plan(8);

select tests.elm();
select tests.slider(name, 'lena') from unnest(array['trams', 'bikes']) as name;
select tests.slider('locked', 'jonas', 'private_locked_hub');
select tests.placed('locked', 'elm');
select tests.vote('jonas', 'trams', 'left');
select app.set_clock_offset('1 second');
select tests.vote('maya', 'trams', 'left'), tests.vote('maya', 'locked', 'left');
select tests.receipt('amara', 'trams', 77);
insert into app.fresh_votes (post_id, user_id, cast_at) values (tests.id('trams'), tests.id('amara'), app.now() + interval '1 second');
select bag_eq($$ select tests.baselines('trams') $$, array['jonas: not ranked', 'maya: not ranked', 'amara: 77'], 'a vote is not ranked');
select ok(app.fold_receipts(), 'until the fold');
select bag_eq($$ select tests.baselines('trams') $$, array['jonas: 1', 'maya: 2', 'amara: 77'], 'after it it is, for good');
select bag_eq($$ select tests.baselines('locked') $$, array['maya: not ranked'], 'on a private post never');
select tests.vote('lena', 'trams', 'left'), tests.vote('lena', 'bikes', 'left');
select app.fold_receipts();
select bag_eq($$ select tests.baselines('trams') $$, array['jonas: 1', 'maya: 2', 'amara: 77', 'lena: 4'], 'later ones go on from there');
select bag_eq($$ select tests.baselines('bikes') $$, array['lena: 1'], 'on each post by itself');
select ok(not app.fold_receipts(), 'then there is nothing to do');
select set_eq($$ select tests.who_may('select app.fold_receipts()') $$, array['opine_worker'], 'the worker does this');

select * from finish();
