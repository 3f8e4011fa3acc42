select plan(1);

-- Without triggers, which would hold rows by themselves.
set local session_replication_role = replica;
select tests.person('lena');
select tests.slider('post ' || n, 'lena') from (select n from generate_series(1, 6) as n order by tests.id('post ' || n) desc) as made;
insert into app.fresh_votes (post_id, user_id) select p.id, tests.id('lena') from app.posts as p order by p.id desc;
-- Each row is held by a transaction of its own within that of the test: whoever holds it next is noted beside that, one
-- number after the other.
create function pg_temp.hold(p_table regclass)
returns void
language plpgsql
as $$
declare
  v_id uuid;
begin
  for v_id in execute format('select id from %s order by id desc', p_table) loop
    begin
      execute format('select from %s where id = $1 for key share', p_table) using v_id;
    exception when division_by_zero then raise;
    end;
  end loop;
end
$$;
select pg_temp.hold('app.posts');
create temporary table held (place bigint, id uuid);
create function pg_temp.note() returns trigger language plpgsql as 'begin insert into held select p.xmax::text::bigint, p.id from app.posts as p where not exists (select from held); return old; end';
create trigger held before delete on app.fresh_votes for each row execute function pg_temp.note();
alter table app.fresh_votes enable always trigger held;
select tests.without_indexes();
select app.rank_votes(100, 1000);
-- A merge holds several in the same order, so that neither waits for one that waits for it.
select results_eq('select id from held order by place', 'select id from app.posts order by id', 'posts are held one after the other, in an order for all');

select * from finish();
