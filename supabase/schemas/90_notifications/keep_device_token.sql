create function app.keep_device_token(p_token_hash bytea, p_platform app.device_platform, p_sealed_token bytea)
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_user_id uuid := app.user_id();
begin
  -- Two registrations of one user at once would each leave five tokens and the other's.
  perform from app.users as u where u.id = v_user_id for no key update;
  insert into app.device_tokens (token_hash, user_id, session_id, platform, sealed_token)
  values (
    p_token_hash,
    v_user_id,
    app.session_id(),
    p_platform,
    p_sealed_token
  )
  on conflict (token_hash) do update set
    user_id = excluded.user_id,
    session_id = excluded.session_id,
    platform = excluded.platform,
    sealed_token = excluded.sealed_token,
    refreshed_at = excluded.refreshed_at;
  perform app.keep_newest_device_tokens(v_user_id);
end
$$;
comment on function app.keep_device_token(bytea, app.device_platform, bytea) is 'Makes a device token the caller''s, whoever had it before, bound to their session; their oldest beyond five go.';

revoke all on function app.keep_device_token(bytea, app.device_platform, bytea) from public;
grant execute on function app.keep_device_token(bytea, app.device_platform, bytea) to authenticated;
