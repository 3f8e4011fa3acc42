-- An author who voted may get one of each for the same total.
--
-- Returns whether there may be more.
create function app.fan_out_milestones() returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  v_reached app.milestones;
  v_last integer;
  v_event app.events;
begin
  perform pg_advisory_xact_lock(hashtext('app.fan_out_milestones'));
  select * into v_reached from app.milestones as m order by m.id limit 1;
  if not found then
    return false;
  end if;
  -- A removal deletes the events that it sees, so it waits for these.
  perform from app.posts as p where p.id = v_reached.post_id for share;
  -- The number of voters with a milestone grows with the total, so the range shrinks: about 2,000
  -- notifications per run.
  v_last := least(v_reached.last_total, v_reached.next_total + 1000000 / v_reached.last_total);
  for v_event in
    insert into app.events (type, subject_id, post_id, milestone_total, milestone_count)
    select 'post_vote_milestone', u.id, v_reached.post_id, due.total, due.count
    from (
      select p.author_id as user_id, reached.total, reached.total as count
      from app.posts as p
      cross join generate_series(v_reached.next_total, v_last) as reached (total)
      where p.id = v_reached.post_id and reached.total % app.author_milestone() = 0
      union all
      select r.user_id, reached.total, reached.total - r.baseline
      from generate_series(v_reached.next_total, v_last) as reached (total)
      join app.vote_receipts as r
        on r.post_id = v_reached.post_id
          and r.baseline % app.voter_milestone() = reached.total % app.voter_milestone()
          and r.baseline <= reached.total - app.voter_milestone()
    ) as due
    cross join lateral (
      select living.id from app.users as living where living.id = due.user_id and living.ended_at is null offset 0
    ) as u
    where exists (select from app.seen_posts(u.id) as seen where seen.id = v_reached.post_id)
    returning *
  loop
    perform app.notify(v_event, array[v_event.subject_id]);
  end loop;
  if v_last = v_reached.last_total then
    delete from app.milestones as m where m.id = v_reached.id;
  else
    update app.milestones as m set next_total = v_last + 1 where m.id = v_reached.id;
  end if;
  return true;
end
$$;
comment on function app.fan_out_milestones is
  'Inserts the milestone events of some totals that posts have reached, and notifies their subjects as far as they can '
  'see the post (docs/product.md N6): the author at each app.author_milestone(), a voter at each '
  'app.voter_milestone() after their own vote.';
grant execute on function app.fan_out_milestones to opine_worker;
