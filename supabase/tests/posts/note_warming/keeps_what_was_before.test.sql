select plan(3);

select tests.person('maya');
select tests.post('trams', 'maya');
select tests.post('bikes', 'maya');
create temporary table before as select trending_at from app.posts where id = tests.id('trams');
select app.set_clock_offset('1 hour');
update app.posts set trending_at = trending_at + interval '2 hours' where id = tests.id('trams');
update app.posts set trending_at = trending_at, comment_count = 1;
update app.posts set repost_count = 1;
select results_eq(
  'select post_id, warmed_at, trending_before from app.warmings', $$ select tests.id('trams'), app.now(), trending_at from before $$, 'how warm it was until when'
);
select app.set_clock_offset('2 hours');
update app.posts set trending_at = trending_at + interval '1 hour';
select is(count(*), 3::bigint, 'each time, of each') from app.warmings;
delete from app.posts where id = tests.id('trams');
select results_eq('select post_id from app.warmings', tests.ids('bikes'), 'as long as it is there');

select * from finish();
