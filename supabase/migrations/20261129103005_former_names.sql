set local lock_timeout = '5s';
set local statement_timeout = '60s';

revoke all on function "app"."has_sources"() from "anon";

revoke all on function "app"."has_sources"() from "authenticated";

revoke all on function "app"."hub_reasons"(uuid, app.feed_entry[]) from "authenticated";

revoke all on function "app"."is_in_hub_of"(uuid, uuid) from "anon";

revoke all on function "app"."is_in_hub_of"(uuid, uuid) from "authenticated";

drop function "app"."active_candidates"(uuid, app.feed_position, integer);

drop function "app"."active_in_feed"(uuid, app.feed_position);

drop function "app"."cards_of"(app.posts[], app.posts[], uuid[], uuid, text[], integer, boolean);

drop function "app"."close_hub_activity"(uuid);

drop function "app"."counted_at"(app.feed_position, timestamp with time zone, xid8, xid8);

drop function "app"."decode_feed_cursor"(text, text, text, boolean);

drop function "app"."default_entries"(app.feed_position, integer);

drop function "app"."default_users_at"(app.feed_position);

drop function "app"."delete_activity"(app.feed_event_kind, uuid, uuid, timestamp with time zone);

drop function "app"."encode_feed_cursor"(app.feed_position);

drop function "app"."end_membership"(uuid, uuid[]);

drop function "app"."erase_activity"(uuid);

drop function "app"."erase_message"(uuid);

drop function "app"."events_at"(app.feed_position);

drop function "app"."feed_page"(app.feed_entry[], text[], app.feed_position, integer, uuid, boolean);

drop function "app"."first_shown"(app.feed_candidate[], app.feed_position);

drop function "app"."has_other_activity"(uuid, app.feed_position);

drop function "app"."hidden_among"(uuid[], app.feed_position);

drop function "app"."hidden_at"(app.feed_position);

drop function "app"."home_entries"(app.feed_position, integer);

drop function "app"."home_posts"(uuid[], app.feed_position, timestamp with time zone, uuid);

drop function "app"."home_reasons"(app.feed_entry[], app.feed_position);

drop function "app"."hub_entries"(uuid, app.feed_position, integer);

drop function "app"."is_home_post"(uuid, app.feed_position);

drop function "app"."is_since"(app.feed_position, xid8);

drop function "app"."make_asset"(app.uploads, bytea, jsonb);

drop function "app"."newest_events"(app.feed_position, integer, uuid[]);

drop function "app"."newest_own_shares"(app.feed_position, integer, uuid[], uuid[]);

drop function "app"."open_join_request"(uuid, app.join_request_source, uuid);

drop function "app"."open_session"(uuid, jsonb);

drop function "app"."own_shares_at"(app.feed_position);

drop function "app"."place_post"(uuid, uuid[], app.placement_kind);

drop function "app"."post_cards"(uuid[], uuid, text[], integer, app.posts[], boolean);

drop function "app"."posts_at"(app.feed_position);

drop function "app"."posts_in_feed"(uuid, app.feed_position, uuid[]);

drop function "app"."profile_entries"(uuid, app.feed_position, integer);

drop function "app"."publish_batch"(app.due_notifications[]);

drop function "app"."publish_to_realtime"(app.due_notifications[]);

drop function "app"."put_follow"(uuid);

drop function "app"."put_hub_photo"(uuid, uuid);

drop function "app"."put_invite_link"(uuid, bytea, integer, interval);

drop function "app"."put_message"(uuid, uuid, text, uuid, text);

drop function "app"."put_role"(uuid, uuid, app.hub_role, text);

drop function "app"."ranked_candidates"(uuid[], app.feed_position, app.feed_candidate, integer);

drop function "app"."recent_entries"(uuid, app.feed_position, integer);

drop function "app"."recorded_events_at"(app.feed_position);

drop function "app"."remove_message"(uuid, uuid);

drop function "app"."scores_at_page_one"(uuid[], app.feed_position);

drop function "app"."seen_despite_blocks"(uuid, uuid);

drop function "app"."share_at_page_one"(uuid, uuid, app.feed_position);

drop function "app"."shares_changed_since"(uuid, app.feed_position);

drop function "app"."sources_at"(app.feed_position, text[]);

drop function "app"."store_ballot"(uuid, app.vote_position, uuid[], text);

drop function "app"."store_code"(jsonb);

drop function "app"."take_pushes"(app.due_notifications[]);

drop function "app"."seen_post"(uuid, uuid);

drop function "app"."trending_entries"(uuid, app.feed_position, integer);

drop function "app"."unhidden_since"(app.feed_position);

drop function "app"."changed_since"(app.feed_position);

drop function "app"."without_hidden"(app.feed_candidate[], app.feed_position);

drop function "gateway"."enter_as_staff"(text, jsonb);

drop function "staff"."take_comment"(uuid, uuid);

drop function "staff"."take_message"(uuid, uuid);

drop type "app"."feed_position";
