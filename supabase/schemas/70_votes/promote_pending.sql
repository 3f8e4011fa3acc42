create function app.promote_pending(p_post_id uuid, p_keys text[])
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  perform app.settle_pending(p_post_id, p_keys, p_is_all => true);
end
$$;
comment on function app.promote_pending(uuid, text[]) is 'Counts the pending votes on a post in the Hubs in which it is, as far as p_keys open them. A caller without a key changes nothing.';

revoke all on function app.promote_pending(uuid, text[]) from public;
grant execute on function app.promote_pending(uuid, text[]) to authenticated;
