create function app.fold_inbox_counts()
returns boolean
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_limit integer := 20000;
  v_count integer;
begin
  perform pg_advisory_xact_lock(hashtext('app.fold_inbox_counts'));
  with folded as (
    delete from app.inbox_counts
    where ctid = any (array(select c.ctid from app.inbox_counts as c where not c.is_folded limit v_limit))
    returning *
  ),
  summed as (
    insert into app.inbox_counts as base (user_id, audience, scope_id, unread_count, change_count, is_folded)
    select f.user_id, f.audience, f.scope_id, sum(f.unread_count), sum(f.change_count), true
    from folded as f
    group by f.user_id, f.audience, f.scope_id
    on conflict (user_id, audience, scope_id) where is_folded do update
      set unread_count = base.unread_count + excluded.unread_count, change_count = base.change_count + excluded.change_count
  )
  select count(*)::integer into v_count from folded;
  return v_count = v_limit;
end
$$;
comment on function app.fold_inbox_counts() is 'Upkeep: makes one row of what is counted in each scope of an inbox, some at a time, in one statement, so that every reader sees each change exactly once. Answers whether there may be more.';

revoke all on function app.fold_inbox_counts() from public;
grant execute on function app.fold_inbox_counts() to opine_worker;
