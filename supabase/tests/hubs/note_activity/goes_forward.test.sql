select plan(3);

select tests.elm();
select tests.hub('ash', 'lena');
update app.hubs set last_activity_at = app.now() - interval '1 day';
create temporary table moments as select app.now() as before;

select app.note_activity(tests.id('elm'));
select results_eq(
  'select last_activity_at from app.hubs order by last_activity_at', 'select before - interval ''1 day'' from moments union all select before from moments',
  'something happened in that Hub alone'
);
update app.hubs set last_activity_at = before + interval '1 day' from moments;
select app.note_activity(tests.id('elm'));
select results_eq(
  'select distinct last_activity_at from app.hubs', 'select before + interval ''1 day'' from moments', 'and time does not go back'
);
select is_empty($$ select tests.who_may('select app.note_activity(null)') $$, 'no role says so by itself');

select * from finish();
