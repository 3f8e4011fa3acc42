create function app.settle_pushes(p_results jsonb)
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_result record;
begin
  -- One by one, by their key: joined to others, what waits could be gone through from the beginning for each.
  for v_result in
    select r."notificationId" as notification_id, decode(r."tokenHash", 'hex') as token_hash, r.outcome, r.failure
    from jsonb_to_recordset(p_results) as r ("notificationId" uuid, "tokenHash" text, outcome text, failure text)
    order by 2, 1
  loop
    if v_result.outcome = 'failed' then
      perform app.postpone_push(v_result.notification_id, v_result.token_hash, v_result.failure);
      continue;
    end if;
    if v_result.outcome = 'gone' then
      -- Registered anew meanwhile, it is there after all.
      delete from app.device_tokens as d
      using app.pushes as p
      where d.token_hash = v_result.token_hash
        and p.notification_id = v_result.notification_id and p.token_hash = d.token_hash
        and d.refreshed_at <= p.due_at - app.push_lease();
    end if;
    delete from app.pushes as p where p.notification_id = v_result.notification_id and p.token_hash = v_result.token_hash;
  end loop;
end
$$;
comment on function app.settle_pushes(jsonb) is 'Notes what came of pushes, an array of notificationId, tokenHash (hex), outcome, and failure where it was refused: sent and dropped are done; gone removes the device as well, unless it registered anew; failed is tried again, or left to staff.';

revoke all on function app.settle_pushes(jsonb) from public;
grant execute on function app.settle_pushes(jsonb) to opine_worker;
