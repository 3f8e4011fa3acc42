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
    select r."notificationId" as notification_id, decode(r."tokenHash", 'hex') as token_hash, r.outcome, r.failure
    from jsonb_to_recordset(jsonb_path_query_array(p_results, '$[*] ? (exists(@.failure))'))
      as r ("notificationId" uuid, "tokenHash" text, outcome text, failure text)
    order by 2, 1
  loop
    if v_refused.outcome = 'failed' then
      perform app.postpone_push(v_refused.notification_id, v_refused.token_hash, v_refused.failure);
    else
      -- Registered anew meanwhile, it is there after all.
      delete from app.device_tokens as d
      using app.pushes as p
      where d.token_hash = v_refused.token_hash
        and p.notification_id = v_refused.notification_id and p.token_hash = d.token_hash
        and d.refreshed_at <= p.due_at - app.push_lease();
    end if;
  end loop;
  delete from app.pushes as p
  where p.ctid = any (array(
    select settled.ctid
    from jsonb_to_recordset(p_results) as r ("notificationId" uuid, "tokenHash" text, outcome text)
    -- Offset has each looked up by its key: joined to them, all that waits could be gone through for each.
    cross join lateral (
      select own.ctid from app.pushes as own
      where own.notification_id = r."notificationId" and own.token_hash = decode(r."tokenHash", 'hex')
      offset 0
    ) as settled
    where r.outcome <> 'failed'
  ));
end
$$;
comment on function app.settle_pushes(jsonb) is 'Notes what came of pushes, an array of notificationId, tokenHash (hex), outcome, and failure where it was refused: sent and dropped are done; gone removes the device as well, unless it registered anew; failed is tried again, or left to staff.';

revoke all on function app.settle_pushes(jsonb) from public;
grant execute on function app.settle_pushes(jsonb) to opine_worker;
