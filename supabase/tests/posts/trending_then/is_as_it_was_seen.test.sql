select plan(5);

select tests.person('maya');
select tests.post(name, 'maya') from unnest(array['trams', 'bikes', 'cars']) as name;
update app.posts set trending_at = app.now();
delete from app.warmings;

create function pg_temp.then(p_seen pg_snapshot)
returns table (post_id uuid, hours integer)
language sql
as $$
  select t.post_id, round(extract(epoch from t.trending_at - app.now()) / 3600)::integer from app.trending_then(tests.ids('trams', 'bikes'), p_seen) as t
$$;

create function pg_temp.seen(p_ago integer)
returns pg_snapshot
language sql
return format('%1$s:%1$s:', pg_current_xact_id()::text::bigint - p_ago)::pg_snapshot;

insert into app.warmings (post_id, trending_before, warmed_by)
select tests.id(post), app.now() - hours * interval '1 hour', (pg_current_xact_id()::text::bigint - ago)::text::xid8
from (values ('trams', 5, 4), ('trams', 3, 2), ('trams', 1, 1), ('bikes', 2, 3), ('cars', 9, 1)) as warming (post, hours, ago);
select set_eq('select * from pg_temp.then(pg_temp.seen(0))', $$ values (tests.id('trams'), 0), (tests.id('bikes'), 0) $$, 'whoever has seen all of it sees posts as they are');
select set_eq('select * from pg_temp.then(pg_temp.seen(1))', $$ values (tests.id('trams'), -1), (tests.id('bikes'), 0) $$, 'who began before the last as they were');
select set_eq('select * from pg_temp.then(pg_temp.seen(3))', $$ values (tests.id('trams'), -3), (tests.id('bikes'), -2) $$, 'before several, as before the first of them');
select set_eq(
  $$
    select seen.*
    from (select pg_current_xact_id()::text::bigint) as now (xid), pg_temp.then(format('%s:%s:%s', xid - 4, xid + 1, xid - 4)::pg_snapshot) as seen
  $$,
  $$ values (tests.id('trams'), -5), (tests.id('bikes'), 0) $$, 'what was under way then was not seen, however early it began'
);
select set_eq($$ select tests.who_may('select from app.trending_then(null, null)') $$, array['anon', 'authenticated'], 'trending is for everybody');

select * from finish();
