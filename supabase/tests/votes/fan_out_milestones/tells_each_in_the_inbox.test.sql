select plan(6);

select tests.person(name, 4) from unnest(array['lena', 'maya', 'jonas', 'ann']) as name;
select tests.slider('trams', 'lena');
select tests.receipt('maya', 'trams', 100), tests.receipt('jonas', 'trams', 100);
select tests.block('lena', 'jonas');
delete from app.events;
insert into app.milestones (post_id, next_total, last_total) values (tests.id('trams'), 600, 600);
select tests.tell_milestones();
select results_eq($$ select tests.told('lena') $$, array['post_vote_milestone of trams 600 of 600'], 'its author');
select results_eq($$ select tests.told('maya') $$, array['post_vote_milestone of trams 500 of 600'], 'who voted, of how many since');
select is_empty($$ select tests.told('jonas') $$, 'but nobody whom a block parts from the author');
select is(count(*), 2::bigint, 'and nobody else') from app.notifications;
select is(tests.unread('maya'), 1, 'to be read');
select bag_eq('select author_id from app.notifications', array[null, tests.id('lena')], 'whose post it is says what a later block hides');

select * from finish();
