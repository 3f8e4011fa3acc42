-- Returns the pictures and documents of what a report is about: as it was reported while a report of it is
-- open, then as it is, also while it is removed and may be restored. The audit log records the look.
create function staff.reported_assets(p_report_id uuid) returns setof app.assets
language plpgsql security definer set search_path = '' as $$
declare
  v_report app.reports;
begin
  select * into v_report from app.reports as r where r.id = p_report_id;
  if v_report.id is null then
    raise exception using errcode = 'PT404', message = 'REPORT_NOT_FOUND';
  end if;
  perform staff.audit(staff.actor(), 'view_media', jsonb_build_object(
    'reportId', p_report_id, 'targetKind', app.kind_of(v_report), 'targetId', v_report.target_id
  ));
  return query
  select a.*
  from app.assets as a
  where a.id in (
    select e.asset_id
    from app.reports as r
    join app.evidence_assets as e on e.report_id = r.id
    where r.target_id = v_report.target_id
    union all
    select app.assets_of(v_report)
    union all
    select k.asset_id from app.removed_contents as k where k.content_id = v_report.target_id
  )
  order by a.id;
end
$$;
comment on function staff.reported_assets is
  'Returns the pictures and documents of what a report is about (docs/product.md S23, S25).';
grant execute on function staff.reported_assets to staff_moderator;

create function staff.link_end() returns timestamptz
language plpgsql stable security definer set search_path = '' as $$
begin
  return app.now() + app.link_lifetime();
end
$$;
comment on function staff.link_end is 'Returns when a link to reported media that is signed now ends.';
grant execute on function staff.link_end to staff_moderator;

-- Runs staff.reported_assets; the service signs a link to each.
--
-- Args: reportId. Returns items (assetId, bucket, contentType, fileName) and expiresAt of the links, in five
-- minutes.
create function api.view_reported_media(jsonb) returns jsonb
language sql set search_path = ''
begin atomic
  select jsonb_build_object('items', coalesce(jsonb_agg(jsonb_build_object(
    'assetId', a.id, 'bucket', app.bucket_of(a.purpose), 'contentType', a.content_type, 'fileName', a.file_name
  ) order by a.id), '[]'), 'expiresAt', app.iso(staff.link_end()))
  from staff.reported_assets(($1 ->> 'reportId')::uuid) as a;
end;
comment on function api.view_reported_media is 'POST /admin/reports/{reportId}/media (docs/product.md S23).';
grant execute on function api.view_reported_media to staff_moderator;
