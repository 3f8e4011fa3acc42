create function app.keep_newest_device_tokens(p_user_id uuid)
returns void
language sql
volatile
security invoker
set search_path = ''
begin atomic
  delete from app.device_tokens
  -- Asked once more of a row that somebody else registered while this waited for it.
  where user_id = p_user_id and token_hash in (
    select t.token_hash
    from app.device_tokens as t
    where t.user_id = p_user_id
    order by t.refreshed_at desc, t.token_hash
    offset 5
  );
end;
comment on function app.keep_newest_device_tokens(uuid) is 'Leaves a user the five tokens that were refreshed last (spec.md "Limits").';

revoke all on function app.keep_newest_device_tokens(uuid) from public;
