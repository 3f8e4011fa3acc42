select plan(3);

select tests.person('lena');
-- Without triggers, which would hold rows by themselves.
set local session_replication_role = replica;
select tests.slider(name, 'lena') from unnest(array['trams', 'bikes', 'boats']) as name;
insert into app.fresh_votes (post_id, user_id, cast_at)
select tests.id(name), tests.id('lena'), app.now() + place * interval '1 second'
from unnest(array['trams', 'bikes', 'boats']) with ordinality as vote (name, place);
create temporary table held (name text, lock text);
-- The strongest lock that is held on a row: taking it again, or a weaker one, leaves no trace.
create function pg_temp.lock_of(p_table regclass, p_id uuid)
returns text
language plpgsql
as $$
declare
  v_before text;
  v_after text;
  v_lock text;
  v_held text;
begin
  execute format('select xmax from %s where id = $1', p_table) using p_id into v_before;
  foreach v_lock in array array['key share', 'share', 'no key update', 'update'] loop
    begin
      execute format('select from %s where id = $1 for %s', p_table, v_lock) using p_id;
      execute format('select xmax from %s where id = $1', p_table) using p_id into v_after;
      raise division_by_zero;
    exception when division_by_zero then
      exit when v_before <> v_after;
      v_held := v_lock;
    end;
  end loop;
  return v_held;
end
$$;
create function pg_temp.note()
returns trigger
language plpgsql
security definer
as $$
begin
  insert into held select p.slider_text, pg_temp.lock_of('app.posts', p.id) from app.posts as p where p.xmax <> '0';
  return old;
end
$$;
create trigger held before delete on app.fresh_votes for each row execute function pg_temp.note();
alter table app.fresh_votes enable always trigger held;
select is_empty('select from app.posts where xmax <> ''0''', 'at first nothing is held');
select app.rank_votes(2, 1000);
-- A merge takes posts first as well, so that neither waits for one that waits for it.
select set_eq('select name, lock from held', $$ values ('trams', 'no key update'), ('bikes', 'no key update') $$, 'before a vote is taken, the posts are held as to count it');
select is(vote_count, 0, 'those on which none is taken not at all') from app.posts where slider_text = 'boats';

select * from finish();
