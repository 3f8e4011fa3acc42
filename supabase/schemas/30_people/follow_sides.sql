create view app.follow_sides with (security_invoker = true) as
select f.followee_id as user_id, 'followers' as side, f.follower_id as other_id, f.created_at from app.follows as f
union all
select f.follower_id, 'following', f.followee_id, f.created_at from app.follows as f;
comment on view app.follow_sides is 'Every follow from both of its sides: whom (other_id) the list of followers, or of following, of somebody (user_id) holds.';

grant select on app.follow_sides to authenticated;
