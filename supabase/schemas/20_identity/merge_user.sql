create function app.merge_user(p_from uuid, p_into uuid)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  perform app.move_belongings(p_from, p_into);
  perform app.end_user(p_from, p_merged_into => p_into);
end
$$;
comment on function app.merge_user(uuid, uuid) is 'Makes the phoneless account p_from part of p_into and ends it.';

revoke all on function app.merge_user(uuid, uuid) from public;
