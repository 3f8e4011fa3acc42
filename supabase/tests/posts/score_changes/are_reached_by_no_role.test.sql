select plan(5);

select tests.person('maya');
select tests.post('trams', 'maya');
insert into app.score_changes (post_id) values (tests.id('trams'));
select is(changed_by, pg_current_xact_id(), 'a change names its transaction') from app.score_changes;
select is_empty($$ select tests.who_may('select from app.score_changes') $$, 'no role reads former scores');
select is_empty($$ select tests.who_may('insert into app.score_changes default values') $$, 'no role writes former scores');
select is_empty($$ select tests.who_may('update app.score_changes set changed_at = changed_at') $$, 'no role changes former scores');
select is_empty($$ select tests.who_may('delete from app.score_changes') $$, 'no role deletes former scores');

select * from finish();
