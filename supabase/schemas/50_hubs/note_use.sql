create function app.note_use(p_hub_id uuid)
returns void
language sql
volatile
security definer
set search_path = ''
begin atomic
  update app.memberships as m
  set seen_at = app.now()
  where m.hub_id = p_hub_id and m.user_id = app.user_id()
    and coalesce(m.seen_at <= app.now() - interval '5 minutes', true);
end;
comment on function app.note_use(uuid) is 'Notes that the caller, a member of a Hub, has used it now; not again within five minutes.';

revoke all on function app.note_use(uuid) from public;
grant execute on function app.note_use(uuid) to authenticated;
