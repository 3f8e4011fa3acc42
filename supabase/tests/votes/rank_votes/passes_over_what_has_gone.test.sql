select plan(3);

select tests.elm();
select tests.slider(name, 'lena') from unnest(array['trams', 'bikes']) as name;
select tests.vote('jonas', 'bikes', 'left'), tests.vote('jonas', 'trams', 'left'), tests.vote('maya', 'trams', 'left');
delete from app.posts where id = tests.id('bikes');
delete from app.users where id = tests.id('jonas');
select app.fold_receipts();
select is_empty('select from app.fresh_votes', 'the votes on a post that has gone are done with');
select is(vote_count, 2, 'those of somebody who has gone count on') from app.posts;
select is(count(*), 1::bigint, 'without a receipt') from app.vote_receipts;

select * from finish();
