create function tests.did(p_kind app.feed_event_kind, p_actor text, p_post text, p_at timestamptz default app.now())
returns void
language sql
begin atomic
  select app.note_act(p_kind, tests.id(p_actor), tests.id(p_post), p_at);
end;
comment on function tests.did(app.feed_event_kind, text, text, timestamptz) is 'Somebody has done something with a post, as streams know it; what else follows from it is not there.';

create function tests.behind(p_at timestamptz default 'infinity', p_post text default null, p_seen pg_snapshot default '1:1:', p_part text default 'recent')
returns app.feed_place
language sql
stable
return (p_at, coalesce(tests.id(p_post), 'ffffffff-ffff-ffff-ffff-ffffffffffff'), app.now(), p_seen, p_part, left(md5('home'), 8))::app.feed_place;
comment on function tests.behind(timestamptz, text, pg_snapshot, text) is 'A cursor position in a home feed: behind p_post at p_at, or behind all of that moment, in a walk that began now, before everything that the test does, or where p_seen says so; in the part p_part.';

create function tests.after_this()
returns pg_snapshot
language sql
stable
return format('%s:%1$s:', pg_current_xact_id()::text::bigint + 1)::pg_snapshot;
comment on function tests.after_this() is 'What is committed once the test is: a walk that began then knows all that it does.';

create function tests.entry(p_post text, p_at timestamptz default app.now(), p_kind app.feed_event_kind default 'published')
returns app.feed_entry
language sql
stable
return (p_at, tests.id(p_post), p_kind)::app.feed_entry;
comment on function tests.entry(text, timestamptz, app.feed_event_kind) is 'A post at a place in a feed.';

create function tests.thoughts(p_post_ids uuid[])
returns text[]
language sql
stable
security definer
return array(
  select p.thought_text
  from unnest(p_post_ids) with ordinality as listed (id, place)
  join app.posts as p on p.id = listed.id
  order by listed.place
);
comment on function tests.thoughts(uuid[]) is 'What posts say, in their order, whoever may see them.';

create function tests.entries(p_entries app.feed_entry[])
returns text[]
language sql
stable
security definer
return array(
  select concat_ws(' ', p.thought_text, entry.kind, nullif(extract(epoch from entry.at - app.now())::integer / 60, 0))
  from unnest(p_entries) with ordinality as entry (at, id, kind, place)
  join app.posts as p on p.id = entry.id
  order by entry.place
);
comment on function tests.entries(app.feed_entry[]) is 'Posts at their places in a feed, whoever may see them: "trams voted -5", five minutes ago.';

create function tests.ago(p_minutes integer)
returns timestamptz
language sql
stable
return app.now() - p_minutes * interval '1 minute';
comment on function tests.ago(integer) is 'So many minutes ago.';
