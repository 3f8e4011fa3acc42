create function app.place_until(p_place app.feed_place)
returns timestamptz
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return case p_place.part when 'quiet' then p_place.began_at else app.now() end;
end
$$;
comment on function app.place_until(app.feed_place) is 'Until when events count for a page: a trending feed stays as it was when its first page was read.';

revoke all on function app.place_until(app.feed_place) from public;
