select plan(6);

select tests.person('maya', 3);
select tests.slider('trams', 'maya');
select tests.vote('maya', 'trams', 'left');

select tests.act_as('maya');
select throws_ok($$ insert into app.vote_pools (post_id, slot, left_count) values (tests.id('trams'), 7, 1000) $$, '42501', null, 'nobody adds votes');
select throws_ok('update app.vote_pools set left_count = 1000', '42501', null, 'nor changes the count');
select throws_ok('delete from app.vote_pools', '42501', null, 'nor wipes it');
select tests.act_as_guest();
select throws_ok($$ insert into app.vote_pools (post_id, slot, left_count) values (tests.id('trams'), 7, 1000) $$, '42501', null, 'a guest adds none');
select throws_ok('update app.vote_pools set left_count = 1000', '42501', null, 'changes none');
select throws_ok('delete from app.vote_pools', '42501', null, 'and wipes none');

select * from finish();
