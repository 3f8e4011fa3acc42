select plan(7);

select tests.person('maya');
select tests.post(name, 'maya') from unnest(array['trams', 'bikes', 'cars', 'feet']) as name;
insert into app.trending_scores (post_id, score, active_at)
select tests.id(name), app.now(), tests.ago(1) from unnest(array['trams', 'bikes', 'cars']) as name;

create function pg_temp.then(p_seen pg_snapshot, p_began_at timestamptz default app.now())
returns table (post text, hours integer)
language sql
as $$
  select p.thought_text, round(extract(epoch from t.score - app.now()) / 3600)::integer
  from app.scores_then(
    tests.ids('trams', 'bikes', 'feet'), ('infinity', tests.id('trams'), p_began_at, p_seen, 'active', '')::app.feed_place
  ) as t
  join app.posts as p on p.id = t.post_id
$$;
create function pg_temp.seen(p_ago integer)
returns pg_snapshot
language sql
return format('%1$s:%1$s:', pg_current_xact_id()::text::bigint - p_ago)::pg_snapshot;

insert into app.score_changes (post_id, former_score, former_active_at, changed_by)
select
  tests.id(post), app.now() - hours * interval '1 hour', app.now() - hours * interval '1 hour',
  (pg_current_xact_id()::text::bigint - ago)::text::xid8
from (values ('trams', 5, 4), ('trams', 3, 2), ('trams', 1, 1), ('bikes', 2, 3), ('cars', 9, 1)) as change (post, hours, ago);
select set_eq('select * from pg_temp.then(pg_temp.seen(0))', $$ values ('trams', 0), ('bikes', 0) $$, 'a walk that began after all changes has the scores of now, of the posts asked for');
select set_eq('select * from pg_temp.then(pg_temp.seen(1))', $$ values ('trams', -1), ('bikes', 0) $$, 'a walk that began before the last change has the scores before it');
select set_eq('select * from pg_temp.then(pg_temp.seen(3))', $$ values ('trams', -3), ('bikes', -2) $$, 'a walk that began before several changes has the scores before the first of them');
select set_eq(
  $$
    select seen.*
    from (select pg_current_xact_id()::text::bigint) as now (xid), pg_temp.then(format('%s:%s:%s', xid - 4, xid + 1, xid - 4)::pg_snapshot) as seen
  $$,
  $$ values ('trams', -5), ('bikes', 0) $$, 'a change under way when the walk began is not part of it, however early it began'
);
select set_eq(
  $$ select * from pg_temp.then(pg_temp.seen(3), app.now() + interval '7 days' - interval '3 hours') $$, $$ values ('bikes', -2) $$,
  'a post without activity in the seven days before the walk has no score in it'
);
update app.score_changes set former_score = null, former_active_at = null where post_id = tests.id('bikes');
select set_eq('select * from pg_temp.then(pg_temp.seen(3))', $$ values ('trams', -3) $$, 'a post whose first activity came later has no score in it');
select set_eq($$ select tests.who_may('select from app.scores_then(null, null)') $$, array['anon', 'authenticated'], 'guests and members have trending feeds');

select * from finish();
