select plan(6);

select tests.elm();
select tests.slider('trams', 'maya');
insert into app.vote_pools (post_id, hub_id) values (tests.id('trams'), null), (tests.id('trams'), tests.id('elm'));
select is(tests.violation_of($$ insert into app.vote_pools (post_id) values (tests.id('trams')) $$), 'vote_pools_pkey', 'there is one pool of everybody');
select is(tests.violation_of($$ insert into app.vote_pools (post_id, hub_id) values (tests.id('trams'), tests.id('elm')) $$), 'vote_pools_pkey', 'and one of a Hub');
insert into app.vote_slots (post_id, slot, generation) values (tests.id('trams'), 1, 0), (tests.id('trams'), 2, 0), (tests.id('trams'), 2, 1);
select is(
  tests.violation_of($$ insert into app.vote_slots (post_id, slot, generation) values (tests.id('trams'), 2, 0) $$), 'vote_slots_even_pkey',
  'which each backend has one slot of, a generation'
);
delete from app.hubs where id = tests.id('elm');
select is_empty('select from app.vote_pools where hub_id is not null', 'a Hub takes its pools along');
select isnt_empty('select from app.vote_pools', 'and no other');
delete from app.posts;
select is_empty('select from app.vote_pools', 'a post all of them');

select * from finish();
