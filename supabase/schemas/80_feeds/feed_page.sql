create function app.feed_page(
  p_entries app.feed_entry[], p_contexts text[], p_place app.feed_place, p_limit integer, p_hub_id uuid default null
)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_page app.feed_entry[] := p_entries[:p_limit];
begin
  return jsonb_build_object(
    'items', app.listed_posts(array(select entry.id from unnest(v_page) as entry), p_contexts, p_hub_id),
    'nextCursor', case when cardinality(p_entries) > p_limit then
      app.encode_place((
        v_page[p_limit].at, v_page[p_limit].id, p_place.began_at, p_place.seen,
        case when p_place.part = 'active' and v_page[p_limit].kind is not null then 'quiet' else p_place.part end, p_place.feed
      )::app.feed_place)
    end
  );
end
$$;
comment on function app.feed_page(app.feed_entry[], text[], app.feed_place, integer, uuid) is 'A page of a feed: items (cards, with their contexts unless that is null, and with the votes of a Hub where p_hub_id is one) and nextCursor, of the entries behind p_place, of which one more than p_limit was looked for.';

revoke all on function app.feed_page(app.feed_entry[], text[], app.feed_place, integer, uuid) from public;
grant execute on function app.feed_page(app.feed_entry[], text[], app.feed_place, integer, uuid) to anon, authenticated;
