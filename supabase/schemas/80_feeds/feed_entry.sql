create type app.feed_entry as (at timestamptz, id uuid, kind app.feed_event_kind);
comment on type app.feed_entry is 'A post at its place in a feed, and what put it there; null for a trending score.';
