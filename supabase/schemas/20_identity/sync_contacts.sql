create function api.sync_contacts(jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  p_args alias for $1;
  v_user_id uuid := app.user_id();
begin
  perform app.require_level(3);
  insert into app.contact_snapshots (user_id, permission, contact_count)
  values (
    v_user_id, app.text_argument(p_args, 'permission'), app.integer_argument(p_args, 'contactCount', 0, 1000000)
  )
  on conflict (user_id) do nothing;
  update app.users as u
  set contacts_synced_at = app.now()
  where u.id = v_user_id and u.contacts_synced_at is null;
  return jsonb_build_object('status', app.onboarding_status(), 'snapshot', (
    select jsonb_build_object(
      'uploadId', s.upload_id, 'state', case when s.stored_at is null then 'pending' else 'stored' end
    )
    from app.contact_snapshots as s
    where s.user_id = v_user_id
  ));
end
$$;
comment on function api.sync_contacts(jsonb) is 'PUT /users/me/onboarding/contacts (spec.md B). Takes permission and contactCount (how many contacts the device has); answers status and snapshot. Once for good: again it changes nothing. Raises UNAUTHORIZED, FORBIDDEN below level 3.';

revoke all on function api.sync_contacts(jsonb) from public;
grant execute on function api.sync_contacts(jsonb) to authenticated;
