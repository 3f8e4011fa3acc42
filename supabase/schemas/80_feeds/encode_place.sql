create function app.encode_place(p_place app.feed_place)
returns text
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return app.encode_cursor(p_place.at, p_place.id)
    || lpad(to_hex((extract(epoch from p_place.began_at) * 1000000)::bigint), 14, '0')
    || left(p_place.part, 1)
    || p_place.feed
    || translate(p_place.seen::text, ':,', '._');
end
$$;
comment on function app.encode_place(app.feed_place) is 'The opaque cursor of a feed.';

revoke all on function app.encode_place(app.feed_place) from public;
grant execute on function app.encode_place(app.feed_place) to anon, authenticated;
