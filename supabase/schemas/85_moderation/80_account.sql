create function app.move_moderation(p_from uuid, p_into uuid) returns void
language plpgsql set search_path = '' as $$
begin
  update app.removed_contents set author_id = p_into where author_id = p_from;
  update app.decision_subjects as s
  set user_id = p_into
  where s.user_id = p_from and not exists (
    select from app.decision_subjects as own where own.decision_id = s.decision_id and own.user_id = p_into
  );
  delete from app.decision_subjects where user_id = p_from;
  update app.appeals set user_id = p_into where user_id = p_from;
  update app.evidence set author_id = p_into where author_id = p_from;
  -- Where both have an open report on one target, or by one person, p_into keeps its own.
  update app.reports as r
  set reporter_id = p_into
  where r.reporter_id = p_from and (r.state <> 'open' or not exists (
    select from app.reports as own
    where own.reporter_id = p_into and own.state = 'open' and own.target_id = r.target_id
  ));
  delete from app.reports where reporter_id = p_from;
  update app.reports as r
  set user_id = p_into
  where r.user_id = p_from and (r.state <> 'open' or not exists (
    select from app.reports as other
    where other.reporter_id = r.reporter_id and other.user_id = p_into and other.state = 'open'
  ));
end
$$;
comment on function app.move_moderation is
  'Moves reports by and about a merged account, and decisions that concern it (docs/product.md I16).';

create function app.erase_moderation(p_user_id uuid) returns void
language sql set search_path = ''
begin atomic
  delete from app.removed_contents where author_id = p_user_id;
  -- Decisions that concern others too, such as the suspension of a Hub, stay, and so does an appeal against one.
  delete from app.decisions as d
  using app.decision_subjects as s
  where s.decision_id = d.id and s.user_id = p_user_id and not exists (
    select from app.decision_subjects as other where other.decision_id = d.id and other.user_id <> p_user_id
  );
  delete from app.decision_subjects where user_id = p_user_id;
  update app.appeals set user_id = null where user_id = p_user_id;
  update app.reports set reporter_id = null where reporter_id = p_user_id;
end;
comment on function app.erase_moderation is
  'Takes an ended account out of reports, decisions and appeals (docs/product.md I18).';

-- A definer function, because no policy shows these two.
create function app.export_moderation_decisions() returns setof jsonb
language sql stable security definer set search_path = ''
begin atomic
  select app.decision_json(d.id) || jsonb_build_object(
    'reversedAt', app.iso(d.reversed_at), 'appealStatement', a.statement, 'removedText', k.body, 'removedAssetId',
    k.asset_id
  )
  from app.decisions as d
  join app.decision_subjects as s on s.decision_id = d.id
  left join app.appeals as a on a.decision_id = d.id
  left join app.removed_contents as k on k.decision_id = d.id
  where s.user_id = app.user_id()
  order by d.decided_at desc, d.id desc
  limit 100000;
end;
comment on function app.export_moderation_decisions is
  'Returns the section moderationDecisions of the export: each decision with the answer to the appeal, and with what '
  'was removed and is kept.';
grant execute on function app.export_moderation_decisions to authenticated;

-- It never shows who reported the caller.
create function app.export_reports() returns setof jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object(
    'reportId', r.id, 'userId', case when not exists (
      select from app.users_hidden_from_all as h where h.user_id = r.user_id
    ) then r.user_id end, 'postId', r.post_id, 'hubId', r.hub_id, 'commentId', r.comment_id,
    'messageId', r.message_id, 'reason', r.reason, 'details', r.details, 'state', r.state, 'createdAt',
    app.iso(r.created_at)
  )
  from app.reports as r
  where r.reporter_id = app.user_id()
  order by r.created_at desc, r.id desc
  limit 100000;
end;
comment on function app.export_reports is
  'Returns the section reports of the export: what the caller reported, without ids of users hidden from everybody.';
grant execute on function app.export_reports to authenticated;

-- Files of an open report outlive the account.
create function app.has_objects_besides_evidence(p_user_id uuid) returns boolean
language sql stable set search_path = ''
begin atomic
  select exists (
    select from app.stored_objects as o
    where o.owner_id = p_user_id and not exists (select from app.evidence_assets as e where e.asset_id = o.id)
  );
end;
comment on function app.has_objects_besides_evidence is
  'Returns whether an ended account still has stored objects that are no evidence (docs/product.md I17, S25).';
