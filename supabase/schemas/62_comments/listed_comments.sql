create function app.listed_comments(p_entries app.list_entry[])
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', c.id,
      'postId', c.post_id,
      'parentCommentId', c.parent_id,
      'author', app.user_lite(author),
      'text', c.body,
      'assetId', c.asset_id,
      'replyCount', c.reply_count,
      'createdAt', app.iso(c.created_at),
      'isDeleted', c.author_id is null
    ) order by entry.place), '[]')
    from unnest(p_entries) with ordinality as entry (at, id, place)
    join app.comments as c on c.id = entry.id
    left join app.profiles as author on author.user_id = c.author_id
  );
end
$$;
comment on function app.listed_comments(app.list_entry[]) is 'Comments of a list, in its order (contract.md 7).';

revoke all on function app.listed_comments(app.list_entry[]) from public;
grant execute on function app.listed_comments(app.list_entry[]) to anon, authenticated;
