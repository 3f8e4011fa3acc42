select plan(6);

select tests.person('maya', 3);
select tests.article('shown', 'maya');
select tests.article('draft', 'maya');
select tests.article(n::text, 'maya') from generate_series(1, 200) as n;
insert into app.posts (author_id, article_id, visibility) values (tests.id('maya'), tests.id('shown'), 'public');
insert into app.posts (author_id, article_id, visibility) select tests.id('maya'), tests.id(n::text), 'public' from generate_series(1, 200) as n;
select tests.person('jonas', 3);
select tests.post('his', 'jonas');
select tests.article('his draft', 'jonas');
select app.end_user(tests.id('maya'));
select app.set_clock_offset('1 minute');
select app.claim_departure();

select app.finish_departure(tests.id('maya'));
select is(count(*)::integer, 1, '200 posts go at once') from app.posts where author_id = tests.id('maya');
select results_eq('select due_at, attempt_count from app.departures', 'values (app.now(), 0)', 'the rest is due at once');
select app.finish_departure(tests.id('maya')) from generate_series(1, 2);
select results_eq('select author_id from app.posts', array[tests.id('jonas')], 'then all are gone but those of others');
select results_eq('select author_id from app.articles', array[tests.id('jonas')], 'and their articles, drafts too');
select is_empty('select from app.departures', 'nothing is left to do');
select set_eq(
  $$ select tests.who_may('select app.finish_departure(null)') $$, array['opine_worker'], 'the worker alone finishes'
);

select * from finish();
