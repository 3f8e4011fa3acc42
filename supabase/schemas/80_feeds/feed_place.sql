create type app.feed_place as (at timestamptz, id uuid, began_at timestamptz, seen pg_snapshot);
comment on type app.feed_place is 'How far somebody has walked through a feed, when they began, and what was committed then: times do not tell, as what began earlier may end later.';
