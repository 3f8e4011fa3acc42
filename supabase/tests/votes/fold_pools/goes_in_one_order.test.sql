select plan(1);

select tests.person('lena');
select tests.hub(name, 'lena') from unnest(array['elm', 'oak', 'ash', 'fir']) as name;
select tests.slider('post ' || n, 'lena') from generate_series(1, 4) as n;
insert into app.vote_slots (post_id, hub_id, slot, left_count, generation)
select p.id, h.id, slot, 1, 0
from app.posts as p
cross join (select id from app.hubs union all select null) as h
cross join generate_series(11, 13) as slot
order by h.id desc nulls first, p.id desc;
create temporary table added (place integer generated always as identity, post_id uuid, hub_id uuid);
create function pg_temp.note() returns trigger language plpgsql security definer as 'begin insert into added (post_id, hub_id) values (new.post_id, new.hub_id); return null; end';
create trigger added after insert or update on app.vote_pools for each row execute function pg_temp.note();
-- Nothing is in order just because it was added up in one.
set local enable_sort = off;
select app.fold_pools(0::smallint);
-- Whoever adds to several of them waits for none that waits for them.
select results_eq(
  'select post_id, hub_id from added order by place', 'select post_id, hub_id from app.vote_pools order by post_id, hub_id',
  'pools are added to one after the other, in an order for all, each once'
);

select * from finish();
