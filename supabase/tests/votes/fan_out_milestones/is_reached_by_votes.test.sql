select plan(3);

select tests.person(name) from unnest(array['lena', 'maya', 'jonas']) as name;
select tests.slider('trams', 'lena');
update app.posts set vote_count = 98 where id = tests.id('trams');
select tests.vote('maya', 'trams', 'left');
select app.set_clock_offset('1 second');
select tests.vote('jonas', 'trams', 'right');
select tests.fold();
select tests.tell_milestones();
select results_eq($$ select tests.milestones('trams') $$, array['lena: 100 of 100'], 'the hundredth vote is the author''s');
update app.posts set vote_count = 598 where id = tests.id('trams');
select tests.vote('lena', 'trams', 'right');
select tests.fold();
select tests.tell_milestones();
select bag_eq($$ select tests.milestones('trams') $$, array['lena: 100 of 100', 'maya: 500 of 599'], 'the 500th after a vote is its voter''s');
select tests.fold();
select tests.tell_milestones();
select bag_eq($$ select tests.milestones('trams') $$, array['lena: 100 of 100', 'maya: 500 of 599'], 'once');

select * from finish();
