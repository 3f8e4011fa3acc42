-- Keeps what is reported as it is: its author may change or delete it before staff looks.
create function app.keep_evidence() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into app.evidence (report_id, author_id, name, content)
  select new.id, seen.author_id, coalesce(p.username, seen.name), coalesce(seen.content, '')
  from app.reported_content(new) as seen
  left join app.profiles as p on p.user_id = seen.author_id;
  insert into app.evidence_assets (report_id, asset_id)
  select new.id, kept.id
  from (
    -- A concurrent deletion of the target may have removed its files.
    select a.id from app.assets as a where a.id in (select app.assets_of(new)) order by a.id for key share
  ) as kept;
  return null;
end
$$;
comment on function app.keep_evidence is
  'Trigger: keeps the texts, author and files of a reported target (docs/product.md S25).';

create trigger reports_keep_evidence_after_insert after insert on app.reports
for each row execute function app.keep_evidence();

-- Returns one row: who wrote the target of a report, and all of its texts in one. A target that is gone has
-- neither.
create function app.reported_content(p_report app.reports, out author_id uuid, out name text, out content text)
language plpgsql stable set search_path = '' as $$
begin
  case app.kind_of(p_report)
    when 'user' then
      author_id := p_report.user_id;
      select concat_ws(' / ', p.full_name, h.display_name, p.bio) into content
      from app.users as u
      left join app.profiles as p on p.user_id = u.id
      left join app.hub_profiles as h on h.user_id = u.id
      where u.id = p_report.user_id;
    when 'hub' then
      select h.name, concat_ws(' / ', h.name, nullif(h.description, ''), h.custom_link) into name, content
      from app.hubs as h
      where h.id = p_report.hub_id;
    when 'post' then
      select p.author_id, app.texts_of(p) into author_id, content from app.posts as p where p.id = p_report.post_id;
    when 'comment' then
      select c.author_id, concat_ws(' / ', c.body, c.alt_text) into author_id, content
      from app.comments as c
      where c.id = p_report.comment_id;
    else
      select m.author_id, concat_ws(' / ', m.body, m.alt_text) into author_id, content
      from app.messages as m
      where m.id = p_report.message_id;
  end case;
end
$$;
comment on function app.reported_content is
  'Returns the author and the texts of what a report is about (docs/product.md S25).';

create function app.texts_of(p_post app.posts) returns text
language plpgsql stable set search_path = '' as $$
begin
  return concat_ws(
    ' / ',
    (select concat_ws(' / ', a.url, a.title, a.body) from app.articles as a where a.id = p_post.article_id),
    p_post.thought_text, p_post.slider_text, nullif(p_post.left_label, 'Disagree'), nullif(p_post.right_label, 'Agree'),
    (
      select string_agg(m.alt_text, ' / ' order by m.place)
      from app.article_assets as m
      where m.article_id = p_post.article_id
    )
  );
end
$$;
comment on function app.texts_of is
  'Returns all texts of a post in one, those of its article and of its files included.';

create function app.assets_of(p_report app.reports) returns setof uuid
language plpgsql stable set search_path = '' as $$
begin
  return query
  select m.asset_id
  from app.posts as p
  join app.article_assets as m on m.article_id = p.article_id
  where p.id = p_report.post_id
  union
  select c.asset_id from app.comments as c where c.id = p_report.comment_id and c.asset_id is not null
  union
  select m.asset_id from app.messages as m where m.id = p_report.message_id and m.asset_id is not null
  union
  select p.photo_asset_id from app.profiles as p where p.user_id = p_report.user_id and p.photo_asset_id is not null
  union
  select p.photo_asset_id from app.hub_profiles as p where p.user_id = p_report.user_id and p.photo_asset_id is not null
  union
  select h.photo_asset_id from app.hubs as h where h.id = p_report.hub_id and h.photo_asset_id is not null;
end
$$;
comment on function app.assets_of is 'Returns the files of what a report is about.';

create function app.close_evidence() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update app.evidence as e set closed_at = app.now() where e.report_id = new.id;
  delete from app.evidence_assets as a where a.report_id = new.id;
  return null;
end
$$;
comment on function app.close_evidence is
  'Trigger: releases the files of a report that is closed, and dates its texts (docs/product.md S25).';

create trigger reports_close_evidence_after_update after update of state on app.reports
for each row when (old.state = 'open' and new.state <> 'open')
execute function app.close_evidence();

create function app.prune_evidence() returns void
language sql security definer set search_path = ''
begin atomic
  delete from app.evidence
  where report_id in (
    select e.report_id
    from app.evidence as e
    where e.closed_at <= app.now() - interval '90 days'
    order by e.closed_at
    limit 1000
  );
end;
comment on function app.prune_evidence is
  'Upkeep: deletes evidence of reports that were closed 90 days ago, in batches (docs/product.md S25).';
grant execute on function app.prune_evidence to opine_worker;

-- Its owner must not learn of the report.
create function app.keep_evidence_asset() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from app.evidence_assets as e where e.asset_id = old.id) then
    return old;
  end if;
  update app.assets as a set is_evidence_only = true where a.id = old.id;
  return null;
end
$$;
comment on function app.keep_evidence_asset is
  'Trigger: hides an asset that is evidence of an open report, in the place of its deletion (docs/product.md S25).';

create trigger assets_keep_evidence_before_delete before delete on app.assets
for each row execute function app.keep_evidence_asset();
