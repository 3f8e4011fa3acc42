create function app.hidden_comment_roots(p_post_id uuid, p_from timestamptz, p_until timestamptz)
returns setof app.comments
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return query
  select c.id, c.post_id, null::uuid, null::uuid, null::text, null::uuid, c.reply_count, c.created_at
  from app.comments as c
  where c.post_id = p_post_id and c.parent_id is null and c.created_at between p_from and p_until and c.reply_count > 0
    and c.author_id in (select h.user_id from app.users_hidden_from_all as h);
end
$$;
comment on function app.hidden_comment_roots(uuid, timestamptz, timestamptz) is 'Comments of a time, under a post, that people hidden from everybody began threads with, as if they were deleted: without author, text and asset.';

revoke all on function app.hidden_comment_roots(uuid, timestamptz, timestamptz) from public;
grant execute on function app.hidden_comment_roots(uuid, timestamptz, timestamptz) to anon, authenticated;
