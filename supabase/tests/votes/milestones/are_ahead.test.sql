select plan(4);

select tests.person('maya', 3);
select tests.slider('trams', 'maya');
select is(tests.violation_of($$ insert into app.milestones (post_id, next_total, last_total) values (tests.id('trams'), 2, 1) $$), 'milestones_are_ahead', 'none is passed');
select is(tests.violation_of($$ insert into app.milestones (post_id, next_total, last_total) values (tests.id('trams'), 1, 1) $$), null, 'one may be left');
insert into app.promotions (post_id) values (tests.id('trams'));
delete from app.posts;
select is_empty('select from app.milestones', 'they go with their post');
select is_empty('select from app.promotions', 'as does what is to be promoted');

select * from finish();
