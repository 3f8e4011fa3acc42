create type app.feed_event_kind as enum ('published', 'targeted', 'voted', 'commented', 'reposted', 'shared_to_feed', 'shared_to_hub');
comment on type app.feed_event_kind is 'What brings a post into feeds, and up in them (spec.md "Home feed rules").';
