create type app.feed_place as (at timestamptz, id uuid, began_at timestamptz);
comment on type app.feed_place is 'How far somebody has walked through a feed, and when they began.';
