select plan(4);

select is_empty($$ select tests.who_may('select from app.feed_events') $$, 'nobody reads who did what');
select is_empty($$ select tests.who_may('insert into app.feed_events default values') $$, 'writes it');
select is_empty($$ select tests.who_may('update app.feed_events set lost_at = lost_at') $$, 'changes it');
select is_empty($$ select tests.who_may('delete from app.feed_events') $$, 'or removes it');

select * from finish();
