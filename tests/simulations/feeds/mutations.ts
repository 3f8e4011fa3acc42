import type { Mutation } from '../../support/mutations.ts';

/** The mutated clauses of each object, with their replacements. */
type Clauses = Readonly<Record<string, readonly (readonly [clause: string, instead: string])[]>>;

function mutationsOf(clauses: Clauses): Mutation[] {
  return Object.entries(clauses).flatMap(([object, changes]) =>
    changes.map(([clause, instead]) => [object, clause, instead] as const),
  );
}

/** Clauses of visibility policies, dropped or inverted. */
export const POLICY_MUTATIONS: readonly Mutation[] = mutationsOf({
  'posts_select on app.posts': [
    ['author_id = (select app.user_id())', 'false'],
    ['author_id = (select app.user_id())', 'true'],
    ['is_public or ', ''],
    ['is_public', 'true'],
    [' or exists (select from app.placements as p where p.post_id = posts.id)', ''],
    ['where p.post_id = posts.id', ''],
    ['and not exists (select from app.hidden_users as h where h.user_id = posts.author_id)', ''],
  ],
  'placements_select on app.placements': [
    [
      'for select to authenticated\nusing (hub_id in (select mine.hub_id from app.my_hubs as mine))',
      'for select to authenticated\nusing (true)',
    ],
  ],
  'app.my_hubs': [['where m.user_id = (select app.user_id())', '']],
  'app.hidden_users': [['from app.blocked_users as b', 'from app.blocked_users as b where false']],
  'app.users_hidden_from_all': [
    ['from app.account_deletions as d', 'from app.account_deletions as d where false'],
  ],
  'app.blocked_users': [
    ['where b.user_id = (select app.user_id())', 'where false'],
    ['where b.user_id = (select app.user_id())', ''],
  ],
  'app.blockers': [['where b.blocked_id = (select app.user_id())', '']],
  'app.blocked_pairs': [
    [
      'b.created_at as since\nfrom app.blocks as b',
      'b.created_at as since\nfrom app.blocks as b where false',
    ],
    [
      'select b.blocker_id, b.blocked_id, b.created_at\nfrom app.blocks as b',
      'select b.blocker_id, b.blocked_id, b.created_at\nfrom app.blocks as b where false',
    ],
  ],
  'comments_select on app.comments': [
    ['author_id = (select app.user_id())\n  or (', 'false or ('],
    ['exists (select from app.posts as p where p.id = comments.post_id)\n    and', ''],
    ['author_id is null or author_id not in', 'author_id not in'],
    [' or author_id not in (select h.user_id from app.hidden_users as h)', ' or true'],
    ['and (parent_id is null or app.sees_thread(parent_id))', ''],
  ],
  'app.hidden_comment_roots': [['c.post_id = p_post_id and ', '']],
  'api.list_comments': [
    ['\n          and exists (select from app.comments as reply where reply.parent_id = hidden.id)', ''],
  ],
  'feed_shares_select on app.feed_shares': [
    ['using (\n  exists (select from app.posts as p where p.id = feed_shares.post_id)', 'using (\n  true'],
  ],
});

/** Clauses that select and order the posts of feeds. */
export const FEED_MUTATIONS: readonly Mutation[] = mutationsOf({
  'app.my_sources': [
    ['where f.follower_id = (select app.user_id())', 'where false'],
    ['where f.follower_id = (select app.user_id())', ''],
    ['from app.my_hubs as mine', 'from app.my_hubs as mine where false'],
  ],
  'app.has_sources': [
    ['exists (select from app.my_sources)', 'false'],
    ['exists (select from app.posts as p where p.author_id = app.user_id())', 'false'],
  ],
  'app.feed_activity': [
    [
      "e.kind in ('published', 'targeted', 'shared_to_hub') or e.actor_id is distinct from (select app.user_id())",
      'true',
    ],
    ["e.kind in ('published', 'targeted', 'shared_to_hub') or ", ''],
    ["'published', 'targeted', 'shared_to_hub'", "'published', 'shared_to_hub'"],
    ["'published', 'targeted', 'shared_to_hub'", "'published', 'targeted'"],
    ["e.kind = 'shared_to_hub' and e.actor_id is not distinct from (select app.user_id())", 'false'],
    [' or e.actor_id is distinct from (select app.user_id())', ''],
  ],
  'app.counted_events': [
    ['a.ended_at is null\n  and ', ''],
    ["a.kind in ('targeted', 'shared_to_hub') or ", ''],
    ["'targeted', 'shared_to_hub'", "'targeted'"],
    [' or a.actor_id not in (select h.user_id from app.hidden_users as h)', ' or true'],
  ],
  'app.has_other_activity': [
    ['e.post_id = p_post_id and ', ''],
    [" and e.kind <> 'shared_to_hub'", ''],
    ['\n      and e.source_id in (select s.source_id from app.my_sources as s)', ''],
    [' and e.occurred_at <= app.now()', ''],
  ],
  'app.newest_events': [
    ['where e.source_id = source.source_id and ', 'where '],
    ['where e.source_id = heads.source_id and ', 'where '],
    ['where p.author_id = (select app.user_id()) and ', 'where '],
    [' and p.is_public', ''],
    ['\n      and (p.created_at, p.id) < (p_after.at, p_after.id)', ''],
    ["e.actor_id = (select app.user_id()) and e.kind = 'shared_to_hub'", 'false'],
    [' and e.hub_id in (select mine.hub_id from app.my_hubs as mine)', ''],
    ['\n      and not app.is_home_post(e.post_id, p_after)', ''],
    ['order by 1 desc, 2 desc', 'order by 1, 2 desc'],
    ["then '-infinity' else", "then app.now() - interval '1 day' else"],
    ['order by head.occurred_at desc', 'order by head.occurred_at'],
    ['\n      and p.id not in (select known.id from unnest(p_except) as known (id))', ''],
  ],
  'app.is_home_post': [
    ['not e.is_own_share and ', ''],
    ['e.post_id = p_post_id and ', ''],
    ['\n      and e.source_id in (select s.source_id from app.my_sources as s)', ''],
    ['p.author_id = app.user_id() and ', ''],
  ],
  'app.first_shown': [
    ['order by event.id, event.at desc', 'order by event.id, event.at'],
    ["p_after.at <> 'infinity'", 'false'],
    ['join app.posts as p on p.id = (newest).id', 'left join app.posts as p on p.id = (newest).id'],
  ],
  'app.home_reasons': [
    ["when p.author_id = (select app.user_id()) then 'own_post'", ''],
    [
      'when p.is_public and exists (\n        select from app.follows',
      'when exists (\n        select from app.follows',
    ],
    ['f.follower_id = (select app.user_id()) and ', ''],
    [' and f.followee_id = p.author_id', ''],
    [
      'when p.is_public and exists (\n        select from app.memberships',
      'when exists (\n        select from app.memberships',
    ],
    ['theirs.user_id = p.author_id and ', ''],
    ['target.post_id = p.id and ', ''],
    [" and target.kind = 'targeted'", ''],
    ['join app.my_hubs as mine on mine.hub_id = target.hub_id', ''],
    [' or app.has_other_activity(p.id)', ''],
  ],
  'app.default_entries': [
    ['where p.author_id = d.user_id and ', 'where '],
    ['\n        and (p.created_at, p.id) < (p_after.at, p_after.id)', ''],
    ["\n        and (not v_has_lost_sources or app.shown_before(array[p.id], p_after) = '{}')", ''],
    ['order by newest.created_at desc, newest.id desc', 'order by newest.created_at, newest.id desc'],
  ],
  'app.lost_sources': [
    [
      'where f.user_id = app.user_id() and not pg_visible_in_snapshot(f.ended_by, p_after.seen)',
      'where false',
    ],
    ['f.user_id = app.user_id() and ', ''],
    [' and not pg_visible_in_snapshot(f.ended_by, p_after.seen)', ''],
  ],
  'app.hub_entries': [
    ['where placed.hub_id = p_hub_id and (', 'where ('],
    [' and (placed.last_shared_at, placed.post_id) < (p_after.at, p_after.id)', ''],
    ['placed.last_shared_at > p_after.began_at', 'false'],
    ['(former.at, placed.post_id) < (p_after.at, p_after.id)', 'true'],
    ['join app.posts as p on p.id = placed.post_id\n        where', 'where'],
    ['order by entry.at desc', 'order by entry.at'],
  ],
  'app.share_at_page_one': [
    [' and e.hub_id = p_hub_id', ''],
    ['e.occurred_at <= p_after.began_at', 'true'],
    ['(e.ended_by is null or not pg_visible_in_snapshot(e.ended_by, p_after.seen))', 'e.ended_by is null'],
  ],
  'app.hub_reasons': [["when 'targeted' then 'joined_hub_post'", "when 'shared' then 'joined_hub_post'"]],
  'app.profile_entries': [
    ['where p.author_id = p_user_id and ', 'where '],
    ['p.is_public', 'true'],
    [
      'and not exists (select from app.feed_shares as s where s.user_id = p_user_id and s.post_id = p.id)',
      '',
    ],
    [
      'select from app.feed_shares as s where s.user_id = p_user_id and s.post_id',
      'select from app.feed_shares as s where s.post_id',
    ],
    [' and s.post_id = p.id', ''],
    ['where s.user_id = p_user_id and (s.shared_at', 'where (s.shared_at'],
    ['order by entry.at desc', 'order by entry.at'],
  ],
  'app.scores_at_page_one': [
    ['app.trending_period()', "interval '8 days'"],
    ['app.trending_period()', "interval '6 days'"],
    ['c.post_id = wanted.id and ', ''],
    ['then former.score else', 'then s.score else'],
    ['then former.active_at else', 'then s.active_at else'],
    ['nulls first', 'desc nulls last'],
  ],
  'app.active_candidates': [
    ['app.trending_period()', "interval '6 days'"],
    [' || v_changed', ''],
    [' or v_change_count = 10 * v_size', ''],
    [
      'app.posts_in_feed(p_hub_id, p_is_own, array(select looked.id from unnest(v_looked) as looked) || v_changed)',
      'array(select distinct looked.id from unnest(v_looked) as looked)',
    ],
  ],
  'app.feed': [['v_hub_id is null and app.has_sources()', 'v_hub_id is null and app.user_id() is not null']],
  'app.shown_before': [
    ['activity.occurred_at <= p_after.began_at', 'false'],
    ['activity.occurred_at <= p_after.began_at', 'true'],
    ['\n            and activity.source_id in (select s.source_id from app.my_sources as s)', ''],
    [
      'a.post_id = wanted.id and (a.occurred_at, a.post_id) >= (p_after.at, p_after.id) and a.occurred_at <= v_until\n          order',
      '(a.occurred_at, a.post_id) >= (p_after.at, p_after.id) and a.occurred_at <= v_until\n          order',
    ],
    [
      '(a.occurred_at, a.post_id) >= (p_after.at, p_after.id) and a.occurred_at <= v_until\n          order',
      'a.occurred_at <= v_until\n          order',
    ],
    [' and a.occurred_at <= v_until\n          order', '\n          order'],
    [
      '(activity.source_id in (select s.source_id from unnest(v_source_ids) as s (source_id))) is true\n        and ',
      '',
    ],
    ['(activity.ended_by is null or not pg_visible_in_snapshot(activity.ended_by, p_after.seen))', 'true'],
    [
      '(activity.ended_by is null or not pg_visible_in_snapshot(activity.ended_by, p_after.seen))',
      'activity.ended_by is null',
    ],
    ["activity.kind in ('targeted', 'shared_to_hub')\n          or ", ''],
    [' where h.since <= p_after.began_at', ''],
    [
      '\n          or activity.actor_id not in (select h.user_id from app.hidden_users as h where h.since <= p_after.began_at)',
      '\n          or true',
    ],
    ['\n        and not activity.is_own_share', ''],
    ['wanted.id = any (v_own_shares)', 'false'],
    [' and not app.was_home_post(wanted.id, p_after)', ''],
  ],
  'app.home_entries': [
    [' or cardinality(v_events) < v_size', ' or true'],
    ['    v_known := v_known || array(select distinct event.id from unnest(v_events) as event);\n', ''],
  ],
  'app.was_home_post': [['not a.is_own_share and ', '']],
  'app.position_until': [
    ['p_after.began_at', 'app.now()'],
    ["'quiet'", "'recent'"],
  ],
  'app.ranked_candidates': [
    ['(s.score, s.post_id) < (p_after.at, p_after.id)', 'true'],
    ['order by s.score desc', 'order by s.score'],
    ['order by s.score desc, s.post_id desc', 'order by s.score desc, s.post_id'],
  ],
  'app.posts_in_feed': [
    ['placed.hub_id = p_hub_id and ', ''],
    [' union select app.user_id()', ''],
    ['p.author_id in (select d.user_id from app.default_feed_users as d)', 'true'],
  ],
  'app.trending_entries': [
    ['join app.posts as p on p.id = active.id', 'left join app.posts as p on p.id = active.id'],
    ['v_place.at := v_place.began_at', 'v_place.at := app.now()'],
    ["v_place.part := 'quiet';", ''],
  ],
  'app.feed_page': [["then 'quiet' else", 'then p_after.part else']],
});

/** Clauses that record activity. */
export const ACTIVITY_MUTATIONS: readonly Mutation[] = mutationsOf({
  'app.record_activity': [
    [' and p.is_public', ''],
    ['select null::uuid as hub_id', 'select null::uuid as hub_id where false'],
    ['where m.user_id = p_actor_id', 'where false'],
    ['where m.user_id = p_actor_id', ''],
    ['greatest(e.occurred_at, excluded.occurred_at)', 'e.occurred_at'],
  ],
  'app.keep_former_event': [
    ["old.kind = 'shared_to_hub' or ", ''],
    ['new.occurred_at > old.occurred_at + app.trending_period()', 'false'],
    ['\n    or exists (select from app.former_sources as f where f.source_id = old.source_id)', ''],
    [' where f.source_id = old.source_id', ''],
  ],
  'app.delete_activity': [
    ['e.post_id = p_post_id and ', ''],
    [' and e.actor_id = p_actor_id', ''],
    [' and e.kind = p_kind', ''],
    ['set ended_at = app.now(),', 'set'],
    ['if p_latest is not null then', 'if false then'],
  ],
  'app.add_activity_to_hubs': [
    ['e.actor_id = m.user_id and ', ''],
    [' and e.hub_id is null', ''],
    [' and e.ended_at is null', ''],
    ['e.kind, e.occurred_at\n', 'e.kind, app.now()\n'],
  ],
  'app.remove_activity_from_hubs': [
    ['where e.hub_id = m.hub_id and ', 'where '],
    ['e.actor_id = m.user_id and ', ''],
    [" and e.kind not in ('targeted', 'shared_to_hub')", ''],
    ['set ended_at = app.now(),', 'set'],
  ],
  'app.record_placements': [
    [
      "when 'targeted' then 'targeted'::app.feed_event_kind else 'shared_to_hub'",
      "when 'shared' then 'targeted'::app.feed_event_kind else 'shared_to_hub'",
    ],
  ],
  'app.record_publications': [
    ['3 * made.count', '2 * made.count'],
    ['s.repost_count + made.count', 's.repost_count + 2 * made.count'],
    ["app.record_activity('published', p.author_id, p.id, p.created_at)", 'app.now()'],
    ["app.record_activity('reposted', p.author_id, p.source_post_id, p.created_at)", 'app.now()'],
  ],
  'app.on_placements_share_again': [
    ['v_sharer_id = app.user_id()', 'false'],
    ['v_sharer_id = app.user_id()', 'true'],
    ['order by e.occurred_at desc', 'order by e.occurred_at'],
    ['e.post_id = old.post_id and ', ''],
    ['set occurred_at = greatest(e.occurred_at, excluded.occurred_at)', 'set occurred_at = e.occurred_at'],
    ['greatest(old.last_shared_at, app.now())', 'old.last_shared_at'],
  ],
  'api.share_to_hubs': [[' and p.hub_id = any (v_hub_ids)', '']],
  'app.record_withdrawals': [
    ['s.repost_count - gone.count', 's.repost_count'],
    ['f.source_post_id is not null) as gone;', 'false) as gone;'],
  ],
  'app.last_repost': [
    ['p.author_id = p_author_id and ', ''],
    [' and p.source_post_id = p_source_post_id', ''],
    [' and p.removed_at is null', ''],
  ],
  'app.record_feed_share': [
    ['(new.post_id, 2)', '(new.post_id, 1)'],
    ["perform app.record_activity('shared_to_feed', new.user_id, new.post_id, new.shared_at);", ''],
  ],
  'app.record_comment': [
    ['(new.post_id, 2)', '(new.post_id, 1)'],
    ["perform app.record_activity('commented', new.author_id, new.post_id, new.created_at);", ''],
    ['p.comment_count + 1', 'p.comment_count + 2'],
    ['c.reply_count + 1', 'c.reply_count + 2'],
  ],
  'app.erase_comment': [
    ['p.comment_count - 1', 'p.comment_count'],
    ['root.reply_count - 1', 'root.reply_count'],
    ['root.author_id is null and root.reply_count = 0', 'false'],
    ['root.author_id is null and root.reply_count = 0', 'root.reply_count = 0'],
    ['c.post_id = v_comment.post_id and c.author_id = v_comment.author_id', 'c.post_id = v_comment.post_id'],
    [
      'c.post_id = v_comment.post_id and c.author_id = v_comment.author_id',
      'c.author_id = v_comment.author_id',
    ],
  ],
  'app.raised_score': [
    ['12 * 60 * 60', '24 * 60 * 60'],
    ['greatest(p_score, v_activity) +', 'v_activity +'],
  ],
  'app.raise_trending_score': [
    ['active_at = greatest(s.active_at, excluded.active_at)', 'active_at = s.active_at'],
    ['app.raised_score(s.score, p_weight)', 's.score'],
  ],
  'app.rank_votes': [['app.raise_trending_score(v.post_id, count(*))', 'null']],
  'api.save_post': [['do nothing', 'do update set saved_at = excluded.saved_at']],
});

/** Clauses of cards, lists and permissions. */
export const CARD_MUTATIONS: readonly Mutation[] = mutationsOf({
  'app.author_phone': [[' and theirs.user_id = p.author_id', '']],
  'app.cards_of': [
    ['join app.my_hubs as mine on mine.hub_id = t.hub_id', ''],
    ['where t.post_id = p.id', 'where true'],
    ['where a.id = p.article_id)', 'where a.author_id <> p.author_id limit 1)'],
    ['app.scope_totals(p.id, shown.hub_id)', 'app.scope_totals(p.id, null)'],
    [' and receipt.user_id = v_user_id', ''],
    [' and s.user_id = v_user_id', ''],
    [' and app.is_repostable(p)', ''],
    ['case when p.is_public then 3 else 4 end', '3'],
  ],
  'app.earliest_hub': [['join app.my_hubs as mine on mine.hub_id = t.hub_id', '']],
  'api.list_frames': [
    ['coalesce(v_seed.source_post_id, v_seed.id)', 'v_seed.id'],
    ['p.id = v_source_id and', 'false and'],
    ['p.source_post_id = v_source_id and', 'p.source_post_id is not null and'],
  ],
  'api.list_saved_posts': [
    ['order by s.saved_at desc', 'order by s.saved_at'],
    ['\n    join app.posts as p on p.id = s.post_id', ''],
  ],
  'api.create_comment': [
    [' and c.author_id is not null', ''],
    ['coalesce(v_parent.parent_id, v_parent.id)', 'v_parent.id'],
  ],
  'api.list_comments': [
    ['where c.post_id = v_post_id and c.parent_id is null', 'where c.post_id = v_post_id'],
    ['c.id = v_parent_id and c.parent_id is null', 'c.id = v_parent_id'],
    ['c.parent_id = v_parent_id or ', ''],
    [
      'c.parent_id = v_parent_id and c.post_id = v_post_id',
      'c.post_id = v_post_id and c.parent_id is not null',
    ],
  ],
  'app.remove_comment': [
    ['in (c.author_id, p.author_id)', 'in (c.author_id)'],
    ['in (c.author_id, p.author_id)', 'in (p.author_id)'],
  ],
  'app.require_comment': [[' and c.author_id is not null', '']],
  'app.put_block': [
    ['((app.user_id(), p_blocked_id), (p_blocked_id, app.user_id()))', '((app.user_id(), p_blocked_id))'],
    ['((app.user_id(), p_blocked_id), (p_blocked_id, app.user_id()))', '((p_blocked_id, app.user_id()))'],
  ],
  'app.is_repostable': [
    ['p_post.source_post_id is null and ', ''],
    [' and p_post.is_shareable', ''],
  ],
});

/** Mutations that change nothing observable, and why. */
export const UNNOTICEABLE: readonly (readonly [mutation: Mutation, reason: string])[] = [
  [
    ['app.newest_events', "p_after.part = 'quiet' and former.ended_by", 'false and former.ended_by'],
    'Needs a repeat of the only activity on a post after a week and during a pagination: see trending.test.ts.',
  ],
  [
    ['app.is_home_post', ' and e.occurred_at <= v_until', ''],
    'Needs a repeated own share after a week and during a pagination: see trending.test.ts.',
  ],
  [
    ['app.hub_entries', '\n          and placed.last_shared_at <= p_after.began_at', ''],
    'Only a share that commits while the first page is read is newer.',
  ],
  [
    ['app.newest_events', ' and e.occurred_at > since.at', ''],
    'It only avoids reading rows beyond the limit.',
  ],
  [
    [
      'app.newest_events',
      ' and (e.occurred_at, e.post_id) < (p_after.at, p_after.id) and e.occurred_at > since.at',
      ' and e.occurred_at > since.at',
    ],
    'Entries before the cursor were shown already and are excluded for that.',
  ],
  [
    ['app.home_entries', 'cardinality(v_found) >= p_limit or ', ''],
    'It only ends a search that has found enough.',
  ],
  [
    ['app.scores_at_page_one', 'c.changed_by >= pg_snapshot_xmin(p_after.seen)\n      and ', ''],
    'The next condition implies it; it only enables an index.',
  ],
  [['app.first_shown', "p_after.at <> 'infinity'", 'true'], 'No entry comes before the first position.'],
  [
    ['app.default_entries', ' and p.is_public', ''],
    'A viewer of a private post is a member or its author and so has a feed of their own.',
  ],
  [
    [
      'feed_shares_select on app.feed_shares',
      '\n  and user_id not in (select h.user_id from app.users_hidden_from_all as h)',
      '',
    ],
    'An ended account has no profile.',
  ],
  [
    ['app.author_phone', ' and mine.user_id = app.user_id()', ''],
    'A viewer of a private post is a member of its Hub or its author.',
  ],
  [
    [
      'saved_posts_select on app.saved_posts',
      'for select to authenticated\nusing (user_id = (select app.user_id()))',
      'for select to authenticated\nusing (true)',
    ],
    'Every query of saved_posts says the same.',
  ],
  [
    ['app.scores_at_page_one', '\n      and not pg_visible_in_snapshot(c.changed_by, p_after.seen)', ''],
    'In serial histories the condition before it says the same.',
  ],
];
