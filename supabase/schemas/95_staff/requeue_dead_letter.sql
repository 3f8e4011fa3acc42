create function staff.requeue_dead_letter(p_id uuid)
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_letter app.dead_letters;
begin
  delete from app.dead_letters as d where d.id = p_id returning * into v_letter;
  if v_letter.id is null then
    raise exception using errcode = 'PT404', message = 'DEAD_LETTER_NOT_FOUND';
  end if;
  if v_letter.token_hash is null then
    insert into app.outbox (notification_id, is_queued) values (v_letter.notification_id, true) on conflict do nothing;
  else
    insert into app.pushes (notification_id, token_hash) values (v_letter.notification_id, v_letter.token_hash)
    on conflict do nothing;
  end if;
  perform staff.audit(staff.actor(), 'requeue_dead_letter', jsonb_build_object('notificationId', v_letter.notification_id));
end
$$;
comment on function staff.requeue_dead_letter(uuid) is 'Tries once more to send what could not be sent, as if it was new. Raises DEAD_LETTER_NOT_FOUND.';

revoke all on function staff.requeue_dead_letter(uuid) from public;
grant execute on function staff.requeue_dead_letter(uuid) to staff_admin;
