select plan(1);

select tests.person('lena');
select tests.person('voter_' || n) from generate_series(1, 10) as n;
select tests.slider(name, 'lena') from unnest(array['trams', 'bikes']) as name;
select tests.vote('voter_' || n, name, 'left', '10 minutes') from generate_series(1, 10) as n cross join unnest(array['trams', 'bikes']) as name;
create temporary table brought (place integer generated always as identity, actor_id uuid, post_id uuid);
create function pg_temp.note() returns trigger language plpgsql security definer as 'begin insert into brought (actor_id, post_id) values (new.actor_id, new.post_id); return null; end';
create trigger brought after update on app.feed_events for each row execute function pg_temp.note();
select app.fold_receipts();
-- Whoever holds several of them waits for none that waits for them.
select results_eq(
  'select actor_id, post_id from brought order by place', 'select actor_id, post_id from app.feed_events where kind = ''voted'' order by actor_id, post_id',
  'acts are brought one after the other, in an order for all'
);

select * from finish();
