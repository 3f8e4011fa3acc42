create function app.activity_until(p_place app.feed_place)
returns timestamptz
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return case p_place.part when 'quiet' then p_place.began_at - interval '6 days' else app.now() end;
end
$$;
comment on function app.activity_until(app.feed_place) is 'Until when votes, comments, reposts and shares to feeds count for a page. A post in the quiet part of a trending feed had none in the seven days before the walk: what says otherwise was committed since. A day less leaves room for the delay of votes.';

revoke all on function app.activity_until(app.feed_place) from public;
