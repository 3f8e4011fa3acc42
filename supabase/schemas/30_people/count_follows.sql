create function app.count_follows()
returns trigger
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_sign integer := case tg_op when 'INSERT' then 1 else -1 end;
  v_side record;
begin
  -- In the order of ids, as every writer of these rows: two that meet wait for each other instead of locking up.
  for v_side in
    select side.user_id, v_sign * sum(side.followers) as follower_count, v_sign * sum(side.following) as following_count
    from (
      select f.followee_id as user_id, 1 as followers, 0 as following from changed as f
      union all
      select f.follower_id, 0, 1 from changed as f
    ) as side
    group by side.user_id
    order by side.user_id
  loop
    update app.follow_counts as c
    set follower_count = c.follower_count + v_side.follower_count,
      following_count = c.following_count + v_side.following_count
    where c.user_id = v_side.user_id;
    -- A row that is gone went with its user.
    if not found and tg_op = 'INSERT' then
      insert into app.follow_counts as c (user_id, follower_count, following_count)
      values (v_side.user_id, v_side.follower_count, v_side.following_count)
      on conflict (user_id) do update
        set follower_count = c.follower_count + excluded.follower_count,
          following_count = c.following_count + excluded.following_count;
    end if;
  end loop;
  return null;
end
$$;
comment on function app.count_follows() is 'Keeps app.follow_counts: after each statement that makes or removes follows, for everybody in them.';

revoke all on function app.count_follows() from public;
