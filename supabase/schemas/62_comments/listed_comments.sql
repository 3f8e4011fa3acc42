create function app.listed_comments(p_comments app.comments[])
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
    ) order by c.ordinality), '[]')
    from unnest(p_comments) with ordinality as c
    left join app.profiles as author on author.user_id = c.author_id
  );
end
$$;
comment on function app.listed_comments(app.comments[]) is 'Comments, in the order given (contract.md 7).';

revoke all on function app.listed_comments(app.comments[]) from public;
grant execute on function app.listed_comments(app.comments[]) to anon, authenticated;
