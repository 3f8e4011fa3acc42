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
  'app.posts_despite_blocks': [
    ['p.author_id = p_viewer_id\n      or', 'false or'],
    ['p.author_id = p_viewer_id\n      or', 'true or'],
    ['p.is_public\n          or', ''],
    ['p.is_public\n          or', 'true or'],
    [' and m.user_id = p_viewer_id', ''],
    ['where t.post_id = p.id', ''],
    ['and not exists (select from app.users_hidden_from_all as h where h.user_id = p.author_id)', ''],
  ],
  'app.seen_posts': [
    [
      'where not exists (select from app.blocked_pairs as b where b.user_id = p_viewer_id and b.other_id = p.author_id)',
      '',
    ],
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
    ["'blockers' as reason\nfrom app.blocks as b", "'blockers' as reason\nfrom app.blocks as b where false"],
    [
      "select b.blocker_id, b.blocked_id, 'blocks'\nfrom app.blocks as b",
      "select b.blocker_id, b.blocked_id, 'blocks'\nfrom app.blocks as b where false",
    ],
  ],
  'comments_select on app.comments': [
    ['author_id = (select app.user_id())\n  or (', 'false or ('],
    ['app.sees_post(post_id)\n    and', ''],
    ['when author_id is null then reply_count > 0', 'when author_id is null then false'],
    ['when author_id is null then reply_count > 0', 'when author_id is null then true'],
    ['author_id not in (select h.user_id from app.hidden_users as h)', 'true'],
    ['and not is_hidden', ''],
    ['and (parent_id is null or app.sees_thread(parent_id))', ''],
  ],
  'app.hidden_comment_roots': [
    ['c.post_id = p_post_id and ', ''],
    ['c.is_hidden or ', ''],
    ['app.hidden_users as h', 'app.users_hidden_from_all as h'],
  ],
  'app.may_join_thread': [[' and not root.is_hidden', '']],
  'app.sees_thread': [['own.author_id = app.user_id()', 'false']],
  'api.list_comments': [
    ['\n            and exists (select from app.comments as reply where reply.parent_id = hidden.id)', ''],
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
    ['    from app.my_sources as s\n    where ', '    from app.my_sources as s\n    where false and '],
    ['where not exists (select from app.users_hidden_from_all as h where h.user_id = s.source_id)', ''],
    [
      'exists (select from app.posts as p where p.author_id = app.user_id() and p.removed_at is null)',
      'false',
    ],
  ],
  'app.recorded_events_at': [
    ["(e.kind in ('published', 'targeted') or e.actor_id is distinct from (select app.user_id()))", 'true'],
    ["e.kind in ('published', 'targeted') or ", ''],
    ["'published', 'targeted'", "'published'"],
    ["'published', 'targeted'", "'published', 'targeted', 'shared_to_hub'"],
    [' or e.actor_id is distinct from (select app.user_id())', ''],
  ],
  'app.events_at': [
    ['app.is_placement(e.kind) or ', ''],
    [' or e.actor_id not in (select hidden.id from app.hidden_at(p_after) as hidden (id))', ' or true'],
  ],
  'app.without_hidden': [
    ['app.is_placement(event.kind) or ', ''],
    ['event.actor_id <> all (v_hidden_ids)', 'true'],
  ],
  'app.is_placement': [["'targeted', 'shared_to_hub'", "'targeted'"]],
  'app.hidden_among': [
    ['where exists (select from app.hidden_users as h where h.user_id = wanted.id)', 'where false'],
    ['from app.hidden_at(p_after) as hidden (id)', 'from app.hidden_users as hidden (id)'],
  ],
  'app.counted_at': [
    ['p_occurred_at <= p_after.began_at', 'true'],
    [
      "(p_begun_by is null or p_after.at = 'infinity' or pg_visible_in_snapshot(p_begun_by, p_after.seen))",
      'true',
    ],
    [
      "(p_ended_by is null or (p_after.at <> 'infinity' and not pg_visible_in_snapshot(p_ended_by, p_after.seen)))",
      'true',
    ],
    [
      "(p_ended_by is null or (p_after.at <> 'infinity' and not pg_visible_in_snapshot(p_ended_by, p_after.seen)))",
      'p_ended_by is null',
    ],
  ],
  'app.changed_since': [
    ['(c.subject_id = app.user_id() or c.subject_id is null) and ', ''],
    [' or c.subject_id is null', ''],
    ['order by c.kind, c.object_id, c.id', 'order by c.kind, c.object_id, c.id desc'],
  ],
  'app.sources_at': [
    [
      '\n    and (s.kind, s.source_id) not in (select c.kind, c.object_id from app.changed_since(p_after) as c)',
      '',
    ],
    [' and c.former_at is not null', ' and false'],
    [' and c.former_at is not null', ''],
  ],
  'app.unhidden_since': [
    [' and c.former_at is not null', ''],
    ["c.kind in ('blocks', 'blockers', 'suspensions', 'account_deletions')", 'false'],
  ],
  'app.hidden_at': [
    [
      'where (h.reason, h.user_id) not in (select c.kind, c.object_id from app.changed_since(p_after) as c)',
      '',
    ],
  ],
  'app.posts_at': [
    ['where p.author_id not in (select shown.id from app.unhidden_since(p_after) as shown (id))', ''],
  ],
  'app.own_shares_at': [
    ['e.actor_id = (select app.user_id()) and ', ''],
    [" and e.kind = 'shared_to_hub'", ''],
  ],
  'app.has_other_activity': [
    ['e.post_id = p_post_id and ', ''],
    [" and e.kind <> 'shared_to_hub'", ''],
    ['\n      and e.source_id in (select source.id from app.sources_at(p_after) as source (id))', ''],
  ],
  'app.newest_events': [
    ['where e.source_id = source.id\n          and ', 'where '],
    ['where e.source_id = heads.id\n          and ', 'where '],
    ['where p.author_id = (select app.user_id()) and ', 'where '],
    [' and p.is_public', ''],
    ['\n          and (p.created_at, p.id) < (p_after.at, p_after.id)', ''],
    [
      "\n          and (p_except = '{}' or p.id not in (select known.id from unnest(p_except) as known (id)))",
      '',
    ],
    ['order by found.at desc, found.id desc', 'order by found.at, found.id desc'],
    [' || app.newest_own_shares(p_after, p_limit, p_except, v_hub_ids)', ''],
    ['order by candidate.at desc, candidate.id desc', 'order by candidate.at, candidate.id desc'],
    ["then '-infinity' else", "then app.now() - interval '1 day' else"],
    ['order by head.occurred_at desc', 'order by head.occurred_at'],
  ],
  'app.newest_own_shares': [
    ['where own.hub_id = any (p_hub_ids)\n      and ', 'where '],
    ['\n      and not app.is_home_post(own.post_id, p_after)', ''],
    ['\n      and own.post_id not in (select known.id from unnest(p_except) as known (id))', ''],
  ],
  'app.first_shown': [
    ['order by event.id, event.at desc', 'order by event.id, event.at'],
    ["p_after.at <> 'infinity'", 'false'],
    [
      'join app.posts_at(p_after, v_viewer_id) as p on p.id = (newest).id',
      'left join app.posts_at(p_after, v_viewer_id) as p on p.id = (newest).id',
    ],
  ],
  'app.home_reasons': [
    ["when p.author_id = (select app.user_id()) then 'own_post'", ''],
    [
      'when p.is_public and exists (\n        select from app.sources_at',
      'when exists (\n        select from app.sources_at',
    ],
    [' where followed.id = p.author_id', ''],
    [
      'when p.is_public and exists (\n        select from app.memberships',
      'when exists (\n        select from app.memberships',
    ],
    ['theirs.user_id = p.author_id and ', ''],
    [' and theirs.hub_id = any (v_hub_ids)', ''],
    ['target.post_id = p.id and ', ''],
    [" and target.kind = 'targeted'", ''],
    [' and target.hub_id = any (v_hub_ids)', ''],
    [' or app.has_other_activity(p.id, p_after)', ''],
  ],
  'app.default_entries': [
    ['where p.author_id = author.id and ', 'where '],
    ['\n        and (p.created_at, p.id) < (p_after.at, p_after.id)', ''],
    ['order by newest.created_at desc, newest.id desc', 'order by newest.created_at, newest.id desc'],
  ],
  'app.hub_entries': [
    ['where placed.hub_id = p_hub_id and (', 'where ('],
    [' and (placed.last_shared_at, placed.post_id) < (p_after.at, p_after.id)', ''],
    ['placed.last_shared_at > v_settled', 'false'],
    ['(former.at, placed.post_id) < (p_after.at, p_after.id)', 'true'],
    [
      'join app.posts_at(p_after, v_viewer_id) as p on p.id = placed.post_id\n        where',
      'join app.posts as p on p.id = placed.post_id\n        where',
    ],
    ['order by entry.at desc', 'order by entry.at'],
  ],
  'app.share_at_page_one': [
    [' and e.hub_id = p_hub_id', ''],
    ['app.counted_at(p_after, e.occurred_at, e.begun_by, e.ended_by)', 'e.ended_by is null'],
  ],
  'app.hub_reasons': [["when 'targeted' then 'joined_hub_post'", "when 'shared' then 'joined_hub_post'"]],
  'app.profile_entries': [
    ['where p.author_id = p_user_id and ', 'where '],
    ['p.is_public\n          and (p.created_at', 'true\n          and (p.created_at'],
    ['where s.user_id = p_user_id and s.post_id = p.id and ', 'where s.post_id = p.id and '],
    ['s.user_id = p_user_id and s.post_id = p.id and ', 's.user_id = p_user_id and '],
    ['s.post_id = p.id and s.post_id <> all (v_changed_ids)', 's.post_id = p.id'],
    [' and former.former_at is not null', ''],
    ['where s.user_id = p_user_id and (s.shared_at', 'where (s.shared_at'],
    ['\n          and s.post_id <> all (v_changed_ids)\n', '\n'],
    ['\n          and (p.is_public or app.is_in_hub_of(p_user_id, p.id))', ''],
    ['where (former.former_at, former.object_id) < (p_after.at, p_after.id)', 'where true'],
    ['order by entry.at desc', 'order by entry.at'],
  ],
  'app.is_in_hub_of': [
    [' and m.user_id = p_user_id', ''],
    ['where placed.post_id = p_post_id', ''],
  ],
  'app.scores_at_page_one': [
    ['app.trending_period()', "interval '8 days'"],
    ['app.trending_period()', "interval '6 days'"],
    ['c.post_id = wanted.id and ', ''],
    ['then former.score else', 'then s.score else'],
    ['then former.active_at else', 'then s.active_at else'],
    ['order by c.id', 'order by c.id desc'],
  ],
  'app.active_candidates': [
    ['app.trending_period()', "interval '6 days'"],
    [' || v_changed', ''],
    [' or v_change_count = 10 * v_size', ''],
    [
      'app.posts_in_feed(p_hub_id, p_after, array(select looked.id from unnest(v_looked) as looked) || v_changed)',
      'array(select distinct looked.id from unnest(v_looked) as looked)',
    ],
  ],
  'app.home_posts': [
    [' union all select app.user_id()', ''],
    [
      'where e.post_id = wanted.id and (e.occurred_at, e.post_id) >= (p_at, p_id)\n        order',
      'where (e.occurred_at, e.post_id) >= (p_at, p_id)\n        order',
    ],
    [' and (e.occurred_at, e.post_id) >= (p_at, p_id)\n        order', '\n        order'],
    ['event.source_id in (', 'event.source_id is not null or event.source_id in ('],
  ],
  'app.open_feed_cursor': [
    ['p_is_home and app.has_sources()', 'p_is_home and app.user_id() is not null'],
    ['v_after ->> 5, p_list', '(p_is_home and app.has_sources())::text, p_list'],
  ],
  'app.home_entries': [
    [' or cardinality(v_events) < v_size', ' or true'],
    ['    v_known := v_known || array(select distinct event.id from unnest(v_counted) as event);\n', ''],
    ['from unnest(v_counted) as event', 'from unnest(v_events) as event'],
    ['app.without_hidden(v_events, p_after)', 'v_events'],
  ],
  'app.ranked_candidates': [
    ['(s.score, s.post_id) < (p_after.at, p_after.id)', 'true'],
    ['order by s.score desc', 'order by s.score'],
    ['order by s.score desc, s.post_id desc', 'order by s.score desc, s.post_id'],
  ],
  'app.posts_in_feed': [
    ['placed.hub_id = p_hub_id and ', ''],
    ['app.share_at_page_one(p_hub_id, placed.post_id, p_after) is not null', 'true'],
    ['p.author_id in (select author.id from app.default_users_at(p_after) as author (id))', 'true'],
    [
      "\n      and own.hub_id in (select hub.id from app.sources_at(p_after, '{memberships}') as hub (id))",
      '',
    ],
    ['where own.post_id = any (p_post_ids)\n', 'where false\n'],
  ],
  'app.trending_entries': [
    [
      'join app.posts_at(p_after, v_viewer_id) as p on p.id = active.id',
      'left join app.posts_at(p_after, v_viewer_id) as p on p.id = active.id',
    ],
    ["v_cursor.part := 'quiet';", ''],
  ],
  'app.feed_page': [["then 'quiet' else", 'then p_after.part else']],
});

/** Clauses that record activity. */
export const ACTIVITY_MUTATIONS: readonly Mutation[] = mutationsOf({
  'app.record_activity': [
    [' and p.is_public', ''],
    ["\n    and (p.author_id <> p_actor_id or p_kind in ('published', 'shared_to_feed'))", ''],
    ["'published', 'shared_to_feed'", "'published'"],
    ['select null::uuid as hub_id', 'select null::uuid as hub_id where false'],
    ['where m.user_id = p_actor_id', 'where false'],
    ['where m.user_id = p_actor_id', ''],
    ['greatest(e.occurred_at, excluded.occurred_at)', 'e.occurred_at'],
    [
      'case when excluded.occurred_at > e.occurred_at then excluded.begun_by else e.begun_by end',
      'e.begun_by',
    ],
  ],
  'app.keep_former_event': [
    ['old.occurred_at, old.begun_by', 'new.occurred_at, old.begun_by'],
    ['old.begun_by, app.now()', 'pg_current_xact_id(), app.now()'],
  ],
  'app.end_activity': [
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
  'app.end_activity_in_hubs': [
    ['where e.hub_id = m.hub_id and ', 'where '],
    ['e.actor_id = m.user_id and ', ''],
    [' and not app.is_placement(e.kind)', ''],
    ['set ended_at = app.now(),', 'set'],
  ],
  'app.record_placements': [
    [
      "when 'targeted' then 'targeted'::app.feed_event_kind else 'shared_to_hub'",
      "when 'shared' then 'targeted'::app.feed_event_kind else 'shared_to_hub'",
    ],
  ],
  'app.record_publications': [
    ["app.count_trending('reposted', p.author_id, p.source_post_id)", 'app.now()'],
    ['s.repost_count + made.count', 's.repost_count + 2 * made.count'],
    ["app.record_activity('published', p.author_id, p.id, p.created_at)", 'app.now()'],
    ["app.record_activity('reposted', p.author_id, p.source_post_id, p.created_at)", 'app.now()'],
  ],
  'app.on_placements_share_again': [
    ['v_sharer_id = app.user_id()', 'false'],
    ['v_sharer_id = app.user_id()', 'true'],
    ['order by e.occurred_at desc', 'order by e.occurred_at'],
    ['e.post_id = old.post_id and ', ''],
    ['set occurred_at = excluded.occurred_at,', 'set occurred_at = e.occurred_at,'],
    [', begun_by = excluded.begun_by', ''],
    ['greatest(old.last_shared_at, app.now())', 'old.last_shared_at'],
  ],
  'api.share_to_hubs': [[' and p.hub_id = any (v_hub_ids)', '']],
  'app.record_post_deletions': [
    ['s.repost_count - gone.count', 's.repost_count'],
    ["app.count_trending('reposted', gone.author_id, gone.source_post_id)", 'app.now()'],
  ],
  'app.last_repost': [
    ['p.author_id = p_author_id and ', ''],
    [' and p.source_post_id = p_source_post_id', ''],
    [' and p.removed_at is null', ''],
  ],
  'app.record_feed_share': [
    ["perform app.count_trending('shared_to_feed', new.user_id, new.post_id);", ''],
    ["perform app.record_activity('shared_to_feed', new.user_id, new.post_id, new.shared_at);", ''],
  ],
  'app.record_comment': [
    ['perform app.count_comments(new.author_id, new.post_id);', ''],
    ["perform app.record_activity('commented', new.author_id, new.post_id, new.created_at);", ''],
    ['p.comment_count + 1', 'p.comment_count + 2'],
    ['c.reply_count + 1', 'c.reply_count + 2'],
  ],
  'app.delete_comment': [
    ['p.comment_count - 1', 'p.comment_count'],
    ['perform app.count_comments(v_comment.author_id, v_comment.post_id);', ''],
    ['root.reply_count - 1', 'root.reply_count'],
    ['and root.author_id is null', 'and false'],
    ['and root.author_id is null', ''],
    ['p.id = v_comment.post_id and not v_comment.is_hidden', 'p.id = v_comment.post_id'],
    ['root.id = v_comment.parent_id and not v_comment.is_hidden', 'root.id = v_comment.parent_id'],
    ['c.post_id = v_comment.post_id and c.author_id = v_comment.author_id', 'c.post_id = v_comment.post_id'],
    [
      'c.post_id = v_comment.post_id and c.author_id = v_comment.author_id',
      'c.author_id = v_comment.author_id',
    ],
  ],
  'app.half_lives_between': [['/ 43200', '/ 86400']],
  'app.sum_of_scores': [['greatest(p_one, p_other) +', 'p_other +']],
  'app.trending_weight': [
    ["when 'reposted' then 3 else 2", "when 'reposted' then 2 else 2"],
    ["when 'reposted' then 3 else 2", "when 'reposted' then 3 else 1"],
  ],
  'app.raise_trending_score': [
    ['active_at = greatest(s.active_at, excluded.active_at)', 'active_at = s.active_at'],
    ['app.sum_of_scores(s.score, excluded.score)', 's.score'],
  ],
  'app.recompute_trending_score': [
    ['app.sum_of_scores(s.vote_score, v_score)', 'v_score'],
    ['greatest(s.voted_at, v_active_at)', 's.active_at'],
    ['v_score is null and s.vote_score is null', 'false'],
  ],
  'app.count_trending': [
    ['v_is_author is not false', 'v_is_author is null'],
    ['cardinality(v_times) > 1', 'false'],
  ],
  'app.firsts_of_weeks': [
    [
      '(activity.at <= activity.previous_at + app.trending_period()) is not true',
      'activity.previous_at is null',
    ],
    ['order by times.at', 'order by times.at desc'],
  ],
  'app.count_comments': [
    ['c.post_id = p_post_id and ', ''],
    [' and c.author_id = p_author_id', ''],
  ],
  'app.activity_times': [
    [' and p.removed_at is null', ''],
    ['p_counted || s.shared_at', 'p_counted'],
  ],
  'app.record_feed_share_deletion': [
    ["perform app.count_trending('shared_to_feed', old.user_id, old.post_id);", ''],
  ],
  'app.record_feed_changes': [["format('changed.%I', tg_argv[3])", "'null::timestamptz'"]],
  'app.rank_votes': [
    ['app.count_trending_votes(v.post_id, count(*))', 'null'],
    [' and p.author_id <> v.user_id', ''],
  ],
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
    [' and p.source_post_id is null', ''],
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
  'app.delete_comment_as_caller': [
    ['in (c.author_id, p.author_id)', 'in (c.author_id)'],
    ['in (c.author_id, p.author_id)', 'in (p.author_id)'],
  ],
  'app.require_comment': [[' and c.author_id is not null', '']],
  'app.update_hidden_comments': [
    ['c.author_id <> p.author_id and c.is_hidden <> v_is_hidden\n    returning', 'true\n    returning'],
    ['root.reply_count + v_sign * reply.count', 'root.reply_count'],
    ['p.comment_count + v_sign * counted.count', 'p.comment_count'],
  ],
  'app.put_block': [
    ['((app.user_id(), p_blocked_id), (p_blocked_id, app.user_id()))', '((app.user_id(), p_blocked_id))'],
    ['((app.user_id(), p_blocked_id), (p_blocked_id, app.user_id()))', '((p_blocked_id, app.user_id()))'],
  ],
  'app.is_repostable': [
    ['p_post.source_post_id is null and ', ''],
    [' and app.is_shareable(p_post)', ''],
  ],
});

/** Mutations that change nothing observable, and why. */
export const UNNOTICEABLE: readonly (readonly [mutation: Mutation, reason: string])[] = [
  [
    ['app.newest_events', '\n          and e.occurred_at > since.at', ''],
    'It only avoids reading rows beyond the limit.',
  ],
  [
    ['app.without_hidden', "  if v_hidden_ids = '{}' then\n    return p_events;\n  end if;\n", ''],
    'It only spares a look at each event.',
  ],
  [
    ['app.home_entries', 'cardinality(v_found) >= p_limit or ', ''],
    'It only ends a search that has found enough.',
  ],
  [
    ['app.trending_entries', 'v_cursor.at := v_cursor.began_at', 'v_cursor.at := app.now()'],
    'No event after page one counts.',
  ],
  [
    ['app.is_since', 'p_changed_by >= pg_snapshot_xmin(p_after.seen) and ', ''],
    'The next condition implies it; it only enables an index.',
  ],
  [['app.first_shown', "p_after.at <> 'infinity'", 'true'], 'No entry comes before the first position.'],
  [
    ['app.default_entries', ' and p.is_public', ''],
    'A viewer of a private post is a member or its author and so has a feed of their own.',
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
    ['app.is_since', ' and not pg_visible_in_snapshot(p_changed_by, p_after.seen)', ''],
    'In serial histories the condition before it says the same.',
  ],
];
