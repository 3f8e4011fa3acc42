create function app.article_media(p_article_id uuid)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return (
    select coalesce(jsonb_agg(app.asset_media(a) order by m.place), '[]')
    from app.article_assets as m
    join app.assets as a on a.id = m.asset_id
    where m.article_id = p_article_id
  );
end
$$;
comment on function app.article_media(uuid) is 'The media of an article that the caller may see, in their order (contract.md 7). Few posts have any: their tables, and the policies of those, are kept out of the statement that makes cards.';

revoke all on function app.article_media(uuid) from public;
grant execute on function app.article_media(uuid) to anon, authenticated;
