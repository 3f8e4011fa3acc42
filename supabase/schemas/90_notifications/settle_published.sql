create function app.settle_published(p_results jsonb)
returns void
language plpgsql
volatile
security definer
set search_path = ''
-- A plan made while nothing waited would go through everything once much does.
set enable_seqscan = off
as $$
declare
  v_refused jsonb := p_results -> 'refused';
begin
  if v_refused <> '[]' then
    insert into app.pushes (notification_id, token_hash, due_at, attempt_count)
    select o.notification_id, decode(r."tokenHash", 'hex'), o.due_at, 1
    from jsonb_to_recordset(v_refused) as r ("notificationId" uuid, "tokenHash" text)
    join app.outbox as o on o.notification_id = r."notificationId" and o.is_told
    on conflict do nothing;
    perform app.settle_pushes(jsonb_build_object('refused', v_refused));
  end if;
  delete from app.outbox as o
  where o.is_told
    and o.notification_id = any (array(
      select r."notificationId" from jsonb_to_recordset(p_results -> 'done' || v_refused) as r ("notificationId" uuid)
    ));
end
$$;
comment on function app.settle_published(jsonb) is 'Notes what came of notifications that were sent as they were published (app.publish_hints), as app.settle_pushes takes it: all are over but for the devices that refused them, for which they wait from now on.';

revoke all on function app.settle_published(jsonb) from public;
grant execute on function app.settle_published(jsonb) to opine_worker;
