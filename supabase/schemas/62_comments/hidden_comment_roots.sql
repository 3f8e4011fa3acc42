create function app.hidden_comment_roots(p_post_id uuid)
returns setof app.comments
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return query
  select c.id, c.post_id, null::uuid, null::uuid, null::text, null::uuid, c.reply_count, c.created_at
  from app.users_hidden_from_all as h
  join app.comments as c on c.author_id = h.user_id
  where c.post_id = p_post_id and c.reply_count > 0;
end
$$;
comment on function app.hidden_comment_roots(uuid) is 'Comments under a post that people hidden from everybody began threads with, as if they were deleted: without author, text and asset.';

revoke all on function app.hidden_comment_roots(uuid) from public;
grant execute on function app.hidden_comment_roots(uuid) to anon, authenticated;
