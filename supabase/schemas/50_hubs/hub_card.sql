create function app.hub_card(p_hub app.hubs, p_standing app.hub_standing)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return app.hub_preview(p_hub, p_standing) || case p_standing.status
    when 'member' then jsonb_build_object('customLink', p_hub.custom_link, 'activeUsers24h', app.active_users(p_hub.id))
    else '{}'
  end;
end
$$;
comment on function app.hub_card(app.hubs, app.hub_standing) is 'A Hub as its members see it, and as all others do (contract.md 8).';

revoke all on function app.hub_card(app.hubs, app.hub_standing) from public;
grant execute on function app.hub_card(app.hubs, app.hub_standing) to authenticated;
