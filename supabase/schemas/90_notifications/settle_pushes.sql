create function app.settle_pushes(p_results jsonb)
returns void
language plpgsql
volatile
security definer
set search_path = ''
-- A plan made while nothing waited would go through everything once much does.
set enable_seqscan = off
as $$
declare
  v_refused record;
begin
  for v_refused in
    select r."notificationId" as notification_id, decode(r."tokenHash", 'hex') as token_hash, r."isGone" as is_gone, r.failure
    from jsonb_to_recordset(p_results -> 'refused') as r ("notificationId" uuid, "tokenHash" text, "isGone" boolean, failure text)
    order by 2, 1
  loop
    if not v_refused.is_gone then
      perform app.postpone_push(v_refused.notification_id, v_refused.token_hash, v_refused.failure);
      continue;
    end if;
    -- Registered anew meanwhile, it is there after all.
    delete from app.device_tokens as d
    using app.pushes as p
    where d.token_hash = v_refused.token_hash
      and p.notification_id = v_refused.notification_id and p.token_hash = d.token_hash
      and d.refreshed_at <= p.due_at - app.push_lease();
    delete from app.pushes as p where p.notification_id = v_refused.notification_id and p.token_hash = v_refused.token_hash;
  end loop;
  delete from app.pushes as p
  where p.ctid = any (array(
    select settled.ctid
    from jsonb_to_recordset(p_results -> 'done') as r ("notificationId" uuid, "tokenHash" text)
    -- Offset has each looked up by its key: joined to them, all that waits could be gone through for each.
    cross join lateral (
      select own.ctid from app.pushes as own
      where own.notification_id = r."notificationId" and own.token_hash = decode(r."tokenHash", 'hex')
      offset 0
    ) as settled
  ));
end
$$;
comment on function app.settle_pushes(jsonb) is 'Notes what came of pushes: done and refused, arrays of notificationId and tokenHash (hex), and of what was refused isGone and failure. What is done is over; so is what is for a device that is gone, which is removed, unless it registered anew; all else that was refused is tried again, or left to staff.';

revoke all on function app.settle_pushes(jsonb) from public;
grant execute on function app.settle_pushes(jsonb) to opine_worker;
