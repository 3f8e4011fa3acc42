select plan(4);

create function pg_temp.is_held(p_fold text)
returns boolean
language sql
as $$
  select exists (
    select from pg_locks as l
    where l.locktype = 'advisory' and l.pid = pg_backend_pid() and l.mode = 'ExclusiveLock'
      and (l.classid::bigint << 32) | l.objid::bigint = hashtext(p_fold)
  )
$$;

select app.fold_pools(app.slot_generation());
select ok(pg_temp.is_held('app.fold_pools'), 'another fold of pools waits for it');
select app.fold_ballots(array[tests.key()]);
select ok(pg_temp.is_held('app.fold_ballots'), 'one of ballots');
select app.fold_receipts();
select ok(pg_temp.is_held('app.fold_receipts'), 'one of receipts');
select app.fan_out_milestones();
select ok(pg_temp.is_held('app.fan_out_milestones'), 'and another who tells of milestones');

select * from finish();
