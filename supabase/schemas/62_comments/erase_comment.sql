create function app.erase_comment(p_comment_id uuid)
returns boolean
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_comment app.comments;
begin
  -- The root after the post, so that replies under way are waited for, and counted.
  perform app.hold_memberships(c.author_id) from app.comments as c where c.id = p_comment_id;
  perform from app.posts as p where p.id = (select c.post_id from app.comments as c where c.id = p_comment_id) for no key update;
  perform from app.comments as root
  where root.id = (select c.parent_id from app.comments as c where c.id = p_comment_id)
  for update;
  select * into v_comment from app.comments as c where c.id = p_comment_id and c.author_id is not null for update;
  if v_comment.id is null then
    return false;
  end if;
  if v_comment.reply_count > 0 then
    update app.comments as c set author_id = null, body = null, asset_id = null where c.id = v_comment.id;
  else
    delete from app.comments as c where c.id = v_comment.id;
    update app.comments as root set reply_count = root.reply_count - 1 where root.id = v_comment.parent_id;
    delete from app.comments as root where root.id = v_comment.parent_id and root.author_id is null and root.reply_count = 0;
  end if;
  update app.posts as p set comment_count = p.comment_count - 1 where p.id = v_comment.post_id;
  delete from app.events as e where e.comment_id = v_comment.id;
  perform app.take_back_act(
    'commented', v_comment.author_id, v_comment.post_id,
    (select max(c.created_at) from app.comments as c where c.post_id = v_comment.post_id and c.author_id = v_comment.author_id)
  );
  return true;
end
$$;
comment on function app.erase_comment(uuid) is 'Deletes a comment, and answers whether it was there: the root of a thread stays, without text and author, until its last reply goes.';

revoke all on function app.erase_comment(uuid) from public;
