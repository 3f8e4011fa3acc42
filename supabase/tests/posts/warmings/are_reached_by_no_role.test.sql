select plan(5);

select tests.person('maya');
select tests.post('trams', 'maya');
insert into app.warmings (post_id, trending_before) values (tests.id('trams'), app.now());
select is(warmed_by, pg_current_xact_id(), 'each knows who wrote it') from app.warmings;
select is_empty($$ select tests.who_may('select from app.warmings') $$, 'nobody reads one');
select is_empty($$ select tests.who_may('insert into app.warmings default values') $$, 'writes one');
select is_empty($$ select tests.who_may('update app.warmings set warmed_at = warmed_at') $$, 'changes one');
select is_empty($$ select tests.who_may('delete from app.warmings') $$, 'or removes one');

select * from finish();
