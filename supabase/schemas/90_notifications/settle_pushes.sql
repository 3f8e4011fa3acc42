create function app.settle_pushes(p_results jsonb)
returns void
language plpgsql
volatile
security definer
set search_path = ''
-- A plan made while nothing waited would go through everything once much does.
set plan_cache_mode = force_custom_plan
as $$
declare
  v_result record;
begin
  for v_result in
    select r."notificationId" as notification_id, decode(r."tokenHash", 'hex') as token_hash, r.outcome, r.failure
    from jsonb_to_recordset(p_results) as r ("notificationId" uuid, "tokenHash" text, outcome text, failure text)
    where r.outcome in ('failed', 'gone')
    order by 2, 1
  loop
    if v_result.outcome = 'gone' then
      delete from app.device_tokens as d where d.token_hash = v_result.token_hash;
    else
      perform app.postpone_push(v_result.notification_id, v_result.token_hash, v_result.failure);
    end if;
  end loop;
  delete from app.pushes as p
  using jsonb_to_recordset(p_results) as r ("notificationId" uuid, "tokenHash" text, outcome text)
  where p.notification_id = r."notificationId" and p.token_hash = decode(r."tokenHash", 'hex') and r.outcome <> 'failed';
end
$$;
comment on function app.settle_pushes(jsonb) is 'Notes what came of pushes, an array of notificationId, tokenHash (hex), outcome and failure: sent and dropped are done; gone removes the device as well; failed is tried again, or left to staff.';

revoke all on function app.settle_pushes(jsonb) from public;
grant execute on function app.settle_pushes(jsonb) to opine_worker;
