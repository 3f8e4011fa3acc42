create type app.post_visibility as enum ('public', 'public_hub', 'private_locked_hub');
comment on type app.post_visibility is 'Where a post appears (docs/product.md PO10).';

-- targeted: its author chose the Hub at publication; shared: a member shared it onward.
create type app.placement_kind as enum ('targeted', 'shared');
comment on type app.placement_kind is 'How a post came into a Hub.';

create function app.placements_key(p_post_id uuid) returns bigint
language sql immutable set search_path = ''
return hashtextextended('placements ' || p_post_id, 0);
comment on function app.placements_key is
  'Returns the key of the advisory lock that orders placements of a post and concurrent votes on it.';
grant execute on function app.placements_key to authenticated;

-- Returns whether a text is an IPv4 or IPv6 address. pg_input_is_valid would do, but it is not immutable.
create function app.is_ip_address(p_text text) returns boolean
language plpgsql immutable set search_path = '' as $$
begin
  return p_text::inet is not null;
exception when invalid_text_representation then
  return false;
end
$$;
comment on function app.is_ip_address is 'Returns whether a text is an IPv4 or IPv6 address (docs/product.md PO25).';
grant execute on function app.is_ip_address to authenticated;

-- Returns whether a text is the address of a web page; null for null.
--
-- A host is an IP literal, or a name of letters and marks of any script, digits, hyphens and dots. The ranges
-- leave out the blocks of punctuation, symbols, emoji and private use. They are explicit, because classes
-- such as [[:alpha:]] depend on the locale of the database. A link that a person cannot read as it stands has
-- no user, no backslash, and no white space, control or bidirectional character.
create function app.is_web_url(p_url text) returns boolean
language plpgsql immutable strict set search_path = '' as $$
declare
  v_letters text := 'A-Za-z0-9\u00aa\u00b5\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u061b\u061d-\u167f\u1681-\u180d'
    || '\u180f-\u1fff\u2c00-\u2dff\u3005-\u3007\u3021-\u302f\u3031-\u30fa\u30fc-\ud7ff\uf900-\ufdcf\ufdf0-\ufdff'
    || '\ufe70-\ufefc\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff66-\uffdc\U00010000-\U0001efff\U00020000-\U0003fffd';
  v_parts text[] := regexp_match(
    p_url,
    '^[Hh][Tt][Tt][Pp][Ss]?://(\[[0-9A-Fa-f:.]+\]|[' || v_letters || '.-]+)(?::([0-9]{1,5}))?(?:[/?#]'
    || '[^\u0001-\u0020\u005c\u007f-\u00a0\u061c\u1680\u180e\u2000-\u200a\u200e\u200f\u2028-\u202f\u205f'
    || '\u2066-\u2069\u3000\ufeff]*)?$'
  );
  v_host text := v_parts[1];
begin
  return v_host is not null and coalesce(v_parts[2]::integer, 443) between 1 and 65535 and case
    when v_host ~ '^\[' then app.is_ip_address(btrim(v_host, '[]'))
    -- Browsers take a host that ends in a number for an address.
    when v_host ~ '(^|\.)[0-9]+\.?$' then v_host ~ '^[0-9]+(\.[0-9]+){3}$' and app.is_ip_address(v_host)
    else v_host ~ ('[' || v_letters || ']')
  end;
end
$$;
comment on function app.is_web_url is 'Returns whether a text is an http or https URL (docs/product.md PO25).';
grant execute on function app.is_web_url to authenticated;

-- A repost shows the article of its original.
create table app.articles (
  id uuid primary key default app.uuid_v7(),
  author_id uuid not null references app.users (id) on delete cascade,
  url text,
  title text,
  body text,
  media_count integer not null default 0,
  created_at timestamptz not null default app.now(),
  constraint articles_id_author_id_key unique (id, author_id),
  constraint articles_have_content check (num_nonnulls(url, title, body) > 0 or media_count > 0),
  constraint articles_url_length check (char_length(url) between 1 and 2000),
  constraint articles_url_is_web check (app.is_web_url(url)),
  constraint articles_title_length check (char_length(title) between 1 and 300),
  constraint articles_body_length check (char_length(body) between 1 and 10000),
  constraint articles_title_visible check (app.has_visible_character(title)),
  constraint articles_body_visible check (app.has_visible_character(body))
);
comment on table app.articles is
  'One row per article, the subject of a post: a link, media or text (docs/product.md PO1).';
comment on column app.articles.media_count is
  'The number of rows in app.article_assets. Cards of articles without media skip that table.';
create index articles_author_id_idx on app.articles (author_id);
alter table app.articles enable row level security;
grant select on app.articles to anon, authenticated;
grant insert (author_id, url, title, body, media_count) on app.articles to authenticated;
grant delete on app.articles to authenticated;

-- A repost is a post with source_post_id.
create table app.posts (
  id uuid primary key default app.uuid_v7(),
  author_id uuid not null references app.users (id) on delete cascade,
  article_id uuid,
  source_post_id uuid,
  thought_text text,
  slider_text text,
  left_label text,
  right_label text,
  visibility app.post_visibility not null,
  is_public boolean not null generated always as (visibility <> 'private_locked_hub') stored,
  comment_count integer not null default 0,
  repost_count integer not null default 0,
  vote_count integer not null default 0,
  created_at timestamptz not null default app.now(),
  removed_at timestamptz,
  constraint posts_article_is_own foreign key (article_id, author_id) references app.articles (id, author_id)
    on update cascade on delete cascade,
  constraint posts_have_content check (num_nonnulls(article_id, thought_text, slider_text) > 0),
  constraint posts_reposts_have_no_article check (num_nonnulls(source_post_id, article_id) < 2),
  constraint posts_counts_are_natural check (least(comment_count, repost_count, vote_count) >= 0),
  constraint posts_slider_is_whole check (num_nulls(slider_text, left_label, right_label) in (0, 3)),
  constraint posts_thought_text_length check (char_length(thought_text) between 1 and 2000),
  constraint posts_slider_text_length check (char_length(slider_text) between 1 and 260),
  constraint posts_left_label_length check (char_length(left_label) between 1 and 40),
  constraint posts_right_label_length check (char_length(right_label) between 1 and 40),
  constraint posts_thought_text_visible check (app.has_visible_character(thought_text)),
  constraint posts_slider_text_visible check (app.has_visible_character(slider_text)),
  constraint posts_left_label_visible check (app.has_visible_character(left_label)),
  constraint posts_right_label_visible check (app.has_visible_character(right_label))
);
comment on table app.posts is
  'One row per post: an article, a thought and a slider, at least one of them (docs/product.md PO1).';
comment on column app.posts.is_public is 'False for a post that is visible in its Hubs only.';
comment on column app.posts.source_post_id is
  'The original of a repost. No foreign key: a repost stays a repost after its original is deleted.';
comment on column app.posts.removed_at is
  'Time when staff removed the post: it is hidden from everybody, its author included, until it is restored or erased '
  '(docs/product.md S22).';
comment on column app.posts.vote_count is
  'The number of voters up to the last fold, from which milestones are counted. Results are summed from pools instead.';
create index posts_author_id_created_at_idx on app.posts (author_id, created_at desc, id desc);
create index posts_source_post_id_idx on app.posts (source_post_id, created_at, id) where source_post_id is not null;
create index posts_article_id_author_id_idx on app.posts (article_id, author_id);
alter table app.posts enable row level security;
grant select on app.posts to anon, authenticated;
grant insert (
  id, author_id, article_id, source_post_id, thought_text, slider_text, left_label, right_label, visibility
) on app.posts to authenticated;
grant delete on app.posts to authenticated;

create function app.search_bucket(p_number bigint) returns integer
language sql immutable set search_path = ''
begin atomic
  select (p_number / 20000)::integer;
end;
comment on function app.search_bucket is
  'Returns the bucket of the index of words that holds a number of app.post_words.';

create function app.first_in_bucket(p_bucket integer) returns bigint
language sql immutable set search_path = ''
begin atomic
  select p_bucket::bigint * 20000;
end;
comment on function app.first_in_bucket is 'Returns the lowest number of app.post_words in a bucket.';

-- A table of its own, because feeds read app.posts often and its words never.
create table app.post_words (
  post_id uuid primary key references app.posts (id) on delete cascade,
  number bigint not null generated by default as identity,
  is_public boolean not null,
  bucket integer not null generated always as (
    case when is_public then app.search_bucket(number) else -1 - app.search_bucket(number) end
  ) stored,
  words tsvector not null,
  constraint post_words_number_key unique (number)
);
comment on table app.post_words is 'One row per post: its words, for searches (docs/product.md PO24).';
comment on column app.post_words.number is 'The order of publication, in which searches go back in time.';
comment on column app.post_words.is_public is 'Copied from app.posts, where it never changes.';
comment on column app.post_words.bucket is
  'Divides the index by time, so that a search for a frequent word reads recent posts only, and public posts (from 0 '
  'upwards) from private ones (from -1 downwards).';
create index post_words_bucket_words_idx on app.post_words using gin (bucket, words) with (fastupdate = off);
alter table app.post_words enable row level security;

create table app.placements (
  post_id uuid not null references app.posts (id) on delete cascade,
  hub_id uuid not null references app.hubs (id) on delete cascade,
  kind app.placement_kind not null default 'targeted',
  placed_by uuid references app.users (id) on delete set null,
  placed_at timestamptz not null default app.now(),
  last_shared_at timestamptz not null default app.now(),
  constraint placements_pkey primary key (post_id, hub_id)
);
comment on table app.placements is
  'One row per post in a Hub, from publication or an onward share (docs/product.md PO10, PO21).';
comment on column app.placements.placed_by is
  'The person who placed the post; null after their account deletion. Cards never show it (docs/product.md PO15).';
comment on column app.placements.last_shared_at is
  'The time of the placement or of the last share into the Hub: the order of the Hub''s feed. app.feed_events has the '
  'last sharer.';
create index placements_hub_id_idx on app.placements (hub_id, last_shared_at desc, post_id desc);
create index placements_placed_by_idx on app.placements (placed_by);
alter table app.placements enable row level security;
grant select (post_id, hub_id, kind, placed_at, last_shared_at) on app.placements to anon, authenticated;
grant insert (post_id, hub_id, kind, placed_by) on app.placements to authenticated;
grant update (last_shared_at) on app.placements to authenticated;

-- Viewers of the article see its files.
create table app.article_assets (
  article_id uuid not null references app.articles (id) on delete cascade,
  place integer not null,
  asset_id uuid not null references app.assets (id) on delete restrict,
  alt_text text,
  constraint article_assets_pkey primary key (article_id, place),
  constraint article_assets_are_distinct unique (article_id, asset_id),
  constraint article_assets_place_is_within_limit check (place between 1 and 10),
  constraint article_assets_alt_text_length check (char_length(alt_text) between 1 and 500),
  constraint article_assets_alt_text_visible check (app.has_visible_character(alt_text))
);
comment on table app.article_assets is 'One row per file of an article, in order (docs/product.md M7, M9).';
create index article_assets_asset_id_idx on app.article_assets (asset_id);
alter table app.article_assets enable row level security;
grant select on app.article_assets to anon, authenticated;
grant insert (article_id, place, asset_id, alt_text) on app.article_assets to authenticated;

create table app.feed_shares (
  user_id uuid not null references app.users (id) on delete cascade,
  post_id uuid not null references app.posts (id) on delete cascade,
  id uuid not null default app.uuid_v7(),
  shared_at timestamptz not null default app.now(),
  constraint feed_shares_pkey primary key (user_id, post_id)
);
comment on table app.feed_shares is
  'One row per person and post shared to their own feed, with the time of the last share (docs/product.md PO20, F12).';
create index feed_shares_user_id_idx on app.feed_shares (user_id, shared_at desc, post_id desc);
create index feed_shares_post_id_idx on app.feed_shares (post_id);
alter table app.feed_shares enable row level security;
grant select on app.feed_shares to authenticated;
grant insert (user_id, post_id) on app.feed_shares to authenticated;
grant update (id) on app.feed_shares to authenticated;

-- Only the saver sees it (docs/product.md PO19).
create table app.saved_posts (
  user_id uuid not null references app.users (id) on delete cascade,
  post_id uuid not null references app.posts (id) on delete cascade,
  saved_at timestamptz not null default app.now(),
  constraint saved_posts_pkey primary key (user_id, post_id)
);
comment on table app.saved_posts is 'One row per person and saved post.';
create index saved_posts_user_id_idx on app.saved_posts (user_id, saved_at desc, post_id desc);
create index saved_posts_post_id_idx on app.saved_posts (post_id);
alter table app.saved_posts enable row level security;
grant select on app.saved_posts to anon, authenticated;
grant insert (user_id, post_id) on app.saved_posts to authenticated;
grant delete on app.saved_posts to authenticated;

-- Every page of a trending feed ranks by the scores of its first page.
create table app.score_changes (
  id bigint generated always as identity primary key,
  post_id uuid not null references app.posts (id) on delete cascade,
  changed_at timestamptz not null default app.now(),
  changed_by xid8 not null default pg_current_xact_id(),
  former_score timestamptz,
  former_active_at timestamptz,
  constraint score_changes_have_both_or_neither check (num_nulls(former_score, former_active_at) in (0, 2))
);
comment on table app.score_changes is
  'One row per change of a trending score in the last day, with the values before it (null before the first).';
create index score_changes_post_id_idx on app.score_changes (post_id, changed_by);
create index score_changes_changed_by_idx on app.score_changes (changed_by);
create index score_changes_changed_at_idx on app.score_changes (changed_at);
alter table app.score_changes enable row level security;

create table app.trending_activities (
  post_id uuid not null references app.posts (id) on delete cascade,
  actor_id uuid not null references app.users (id) on delete cascade,
  kind text not null,
  at timestamptz not null,
  constraint trending_activities_pkey primary key (post_id, actor_id, kind, at),
  constraint trending_activities_are_of_known_kinds check (kind in ('commented', 'reposted', 'shared_to_feed'))
);
comment on table app.trending_activities is
  'One row per activity that counts in a trending score, for 30 days: of a person on a post each kind once within '
  'seven days (docs/product.md F16).';
create index trending_activities_actor_id_idx on app.trending_activities (actor_id);
create index trending_activities_at_idx on app.trending_activities (at);
alter table app.trending_activities enable row level security;

-- A table of its own keeps the indexed score out of app.posts, so that updates of its counts stay HOT.
create table app.trending_scores (
  post_id uuid primary key references app.posts (id) on delete cascade,
  score timestamptz not null,
  active_at timestamptz not null,
  vote_score timestamptz,
  voted_at timestamptz,
  constraint trending_scores_vote_score_is_dated check (num_nulls(vote_score, voted_at) in (0, 2))
);
comment on table app.trending_scores is 'One row per post with activity: votes, comments, reposts, feed shares.';
comment on column app.trending_scores.score is
  'The sum of the activity, halved every 12 hours, stored as a time: the time at which a single activity of weight 1 '
  'would leave the same score. See docs/decisions/012-trending.md.';
comment on column app.trending_scores.active_at is 'The time of the last activity that counts.';
comment on column app.trending_scores.vote_score is 'The share of the votes in the score; null without votes.';
comment on column app.trending_scores.voted_at is 'The time of the last fold of votes on the post.';
create index trending_scores_score_idx on app.trending_scores (score desc, post_id desc);
-- No policy, because a score reveals when people voted in Hubs. Definer functions read it.
alter table app.trending_scores enable row level security;

create trigger article_assets_release_after_delete after delete on app.article_assets
referencing old table as former
for each statement execute function app.delete_former_assets('asset_id');

create type app.feed_event_kind as enum (
  'published', 'targeted', 'voted', 'commented', 'reposted', 'shared_to_feed', 'shared_to_hub'
);
comment on type app.feed_event_kind is
  'Kinds of events that bring a post into feeds, or move it up (docs/product.md F4-F6).';

create function app.is_placement(p_kind app.feed_event_kind) returns boolean language sql immutable
return p_kind in ('targeted', 'shared_to_hub');
comment on function app.is_placement is 'Returns whether an event brought a post into a Hub.';
grant execute on function app.is_placement to authenticated;

-- Events that bring posts into feeds, in sources that are read from the newest on.
--
-- The source of a person holds their activity on public posts, each kind at its newest time. The source of a
-- Hub holds the same activity of all present members, and the placements in the Hub. A feed therefore reads
-- one source per followed person and one per Hub, however many members the Hub has. An event says from when
-- until when it counted, so that a later page reads the feed as it was at page one (app.events_at).
create table app.feed_events (
  hub_id uuid references app.hubs (id) on delete cascade,
  actor_id uuid references app.users (id) on delete cascade,
  source_id uuid generated always as (coalesce(hub_id, actor_id)) stored,
  post_id uuid not null references app.posts (id) on delete cascade,
  kind app.feed_event_kind not null,
  occurred_at timestamptz not null,
  begun_by xid8 default pg_current_xact_id(),
  ended_at timestamptz,
  ended_by xid8,
  constraint feed_events_have_a_source check (source_id is not null),
  constraint feed_events_ended_at_and_by check (num_nulls(ended_at, ended_by) in (0, 2))
);
comment on table app.feed_events is
  'One row per event that brings a post into feeds (docs/product.md F1-F9, docs/decisions/011-feeds.md).';
comment on column app.feed_events.hub_id is 'The Hub whose source has the event; null in a person''s own source.';
comment on column app.feed_events.actor_id is
  'The person whose activity it is; null for a share into a Hub by an ended account.';
comment on column app.feed_events.occurred_at is
  'The time from which the event counts. A vote counts some time after it is cast (docs/product.md V15).';
comment on column app.feed_events.begun_by is
  'The transaction that recorded the event; null for a vote, because it would pair the voter with the counts of its '
  'transaction, and after a restore.';
comment on column app.feed_events.ended_at is
  'The time from which the event no longer counts: its subject was deleted, its actor left the Hub, or the actor '
  'repeated the activity. The row stays for a day for later pages.';
comment on column app.feed_events.ended_by is 'The transaction that set ended_at.';
create index feed_events_source_idx on app.feed_events (source_id, occurred_at desc, post_id desc)
include (actor_id, kind, begun_by, ended_by);
create unique index feed_events_activity_key on app.feed_events (post_id, source_id, actor_id, kind)
where ended_at is null;
create index feed_events_post_id_idx on app.feed_events (post_id, occurred_at desc);
create index feed_events_actor_id_idx on app.feed_events (actor_id, hub_id);
create index feed_events_hub_id_idx on app.feed_events (hub_id, actor_id) where hub_id is not null;
create index feed_events_ended_idx on app.feed_events (post_id, source_id) where ended_at is not null;
create index feed_events_ended_at_idx on app.feed_events (ended_at) where ended_at is not null;
create index feed_events_own_share_idx on app.feed_events (actor_id, occurred_at desc, post_id desc)
where kind = 'shared_to_hub';
-- No policy: rows say who did what. Definer functions read them and return posts only.
alter table app.feed_events enable row level security;

-- It references no user: what deletes a post also ends the shares of others, and would lock them behind the
-- post. A later page undoes the changes since page one.
create table app.feed_changes (
  id bigint generated always as identity primary key,
  kind text not null,
  subject_id uuid,
  object_id uuid not null,
  former_at timestamptz,
  changed_by xid8 not null default pg_current_xact_id(),
  changed_at timestamptz not null default app.now(),
  constraint feed_changes_are_of_known_kinds check (
    kind in (
      'follows', 'memberships', 'blocks', 'blockers', 'suspensions', 'account_deletions', 'default_feed_users',
      'feed_shares'
    )
  )
);
comment on table app.feed_changes is
  'One row per change of the last day in what decides about feeds, as it was before: sources of readers, hidden users, '
  'default feed users and shares to feeds.';
comment on column app.feed_changes.kind is
  'The table that changed. A block is two changes: blocks for its author, blockers for the blocked user.';
comment on column app.feed_changes.subject_id is
  'The user whose feeds or profile the change concerns; null for everybody.';
comment on column app.feed_changes.object_id is 'The followed, hidden or chosen user, the Hub, or the shared post.';
comment on column app.feed_changes.former_at is 'The time of the row before the change; null if there was none.';
create index feed_changes_subject_id_idx on app.feed_changes (subject_id, changed_by);
create index feed_changes_changed_at_idx on app.feed_changes (changed_at);
alter table app.feed_changes enable row level security;
