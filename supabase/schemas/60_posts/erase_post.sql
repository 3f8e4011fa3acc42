create function app.erase_post(p_post_id uuid)
returns boolean
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_article_id uuid;
begin
  perform app.lock_post_for_deletion(p_post_id);
  delete from app.posts as p where p.id = p_post_id returning p.article_id into v_article_id;
  if not found then
    return false;
  end if;
  delete from app.articles as a where a.id = v_article_id;
  return true;
end
$$;
comment on function app.erase_post(uuid) is 'Deletes a post with its article, receipts and pools, and answers whether it was there.';

revoke all on function app.erase_post(uuid) from public;
grant execute on function app.erase_post(uuid) to authenticated;
