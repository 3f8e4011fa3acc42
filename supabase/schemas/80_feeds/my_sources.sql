create view app.my_sources with (security_invoker = true) as
select f.followee_id as source_id, f.created_at as since
from app.follows as f
where f.follower_id = (select app.user_id())
union all
select mine.hub_id, mine.joined_at
from app.my_hubs as mine;
comment on view app.my_sources is 'Whose streams of app.feed_events the caller reads, and since when: of everybody they follow and of every Hub they are in, now.';

grant select on app.my_sources to authenticated;
