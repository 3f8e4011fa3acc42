create type app.event_type as enum (
  'user_followed',
  'hub_invite_received',
  'hub_join_request_created',
  'hub_join_request_approved',
  'hub_join_request_rejected',
  'hub_member_joined',
  'hub_member_removed',
  'hub_role_changed',
  'hub_post_created',
  'post_shared_to_hub',
  'post_reposted',
  'post_shared_to_feed',
  'post_commented',
  'post_vote_milestone',
  'post_voted',
  'followed_user_posted'
);
comment on type app.event_type is 'What happened, by the type of the notifications that come of it (spec.md "Notification types"; contract.md 9). Of post_voted there are old ones alone.';
