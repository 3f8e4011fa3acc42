select plan(6);

-- Without triggers, which would hold rows by themselves.
set local session_replication_role = replica;
select tests.elm();
select tests.hub('oak', 'lena');
select tests.slider(name, 'lena') from unnest(array['trams', 'bikes']) as name;
insert into app.vote_pools (post_id, hub_id) values (tests.id('trams'), tests.id('elm'));
insert into app.vote_slots (post_id, hub_id, slot, left_count) values (tests.id('trams'), tests.id('elm'), 1, 1);
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

select is(pg_temp.lock_of('app.posts', tests.id('trams')), null, 'nothing is held');
select app.fold_pools(app.slot_generation());
select is(pg_temp.lock_of('app.posts', tests.id('trams')), 'key share', 'the fold of pools holds posts against their end alone');
select is(pg_temp.lock_of('app.hubs', tests.id('elm')), 'key share', 'and Hubs');
select is(pg_temp.lock_of('app.hubs', tests.id('oak')), null, 'but no others');
select tests.sealed_total('bikes', 'oak', row(1, 0, 0, 0, 0));
select app.keep_ballot(tests.id('bikes'), 'left', tests.ids('oak'), tests.key());
select app.settle_pending(tests.id('bikes'), array[tests.key()]);
select is(pg_temp.lock_of('app.hubs', tests.id('oak')), 'key share', 'that of what is pending as well');
select is(pg_temp.lock_of('app.posts', tests.id('bikes')), 'no key update', 'and posts against whoever shares them, not against who votes on them');

select * from finish();
