-- The words of CONTRIBUTING.md: one verb for an act, one noun for a thing. Renames keep what depends on a name.
set local lock_timeout = '5s';
set local statement_timeout = '60s';

alter type app.feed_position rename to feed_cursor;
alter index app.feed_events_stream_idx rename to feed_events_source_idx;

alter function app.close_hub_activity rename to close_hub_feed_events;
alter function app.delete_activity rename to end_activity;
alter function app.end_membership rename to delete_memberships;
alter function app.erase_activity rename to erase_feed_events;
alter function app.erase_message rename to delete_message;
alter function app.hide_join_request rename to hide_request_notifications;
alter function app.make_asset rename to insert_asset;
alter function app.open_discussion rename to create_discussion;
alter function app.open_join_request rename to insert_join_request;
alter function app.open_session rename to insert_session;
alter function app.place_post rename to insert_placements;
alter function app.publish_batch rename to deliver_batch;
alter function app.publish_to_realtime rename to deliver_to_realtime;
alter function app.put_follow rename to insert_follow;
alter function app.put_hub_photo rename to set_hub_photo;
alter function app.put_invite_link rename to insert_invite_link;
alter function app.put_message rename to insert_message;
alter function app.put_role rename to set_role;
alter function app.remove_activity_from_hubs rename to end_activity_in_hubs;
alter function app.remove_message rename to delete_message_as_caller;
alter function app.store_ballot rename to insert_ballot;
alter function app.store_code rename to put_code;
alter function app.take_pushes rename to lease_pushes;
alter function gateway.enter_as_staff rename to set_staff_caller;
alter function staff.take_comment rename to hide_comment;
alter function staff.take_message rename to hide_message;
