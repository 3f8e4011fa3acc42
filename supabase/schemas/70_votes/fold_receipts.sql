create function app.fold_receipts()
returns boolean
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_taken app.ranked_vote[];
  v_vote app.ranked_vote;
begin
  perform pg_advisory_xact_lock(hashtext('app.fold_receipts'));
  v_taken := app.rank_votes(500, 5000);
  foreach v_vote in array v_taken loop
    update app.vote_receipts as r
    set baseline = coalesce(r.baseline, v_vote.baseline)
    where r.post_id = v_vote.post_id and r.user_id = v_vote.user_id;
  end loop;
  perform app.note_act(act.kind, act.actor_id, act.post_id, act.occurred_at)
  from (
    select e.*
    from unnest(v_taken) as v
    join app.feed_events as e
      on e.post_id = v.post_id and e.source_id = v.user_id and e.actor_id = v.user_id and e.kind = 'voted' and e.lost_at is null
    order by e.actor_id, e.post_id
  ) as act;
  return v_taken <> '{}';
end
$$;
comment on function app.fold_receipts() is 'The fold of receipts: takes some of the votes since the last one, ranks them, writes their receipts anew, in an order by lot and all in one transaction, and brings their acts into the streams of the voters'' Hubs. Answers whether there were any.';

revoke all on function app.fold_receipts() from public;
grant execute on function app.fold_receipts() to opine_worker;
