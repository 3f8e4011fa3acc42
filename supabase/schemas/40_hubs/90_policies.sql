create policy hubs_select on app.hubs for select to anon, authenticated
using (is_open);

-- Policies have a file of their own: memberships reference Hubs, and this policy references memberships.
create policy hubs_update on app.hubs for update to authenticated
using (id in (select mine.hub_id from app.my_hubs as mine where mine.role = 'admin'))
with check (id in (select mine.hub_id from app.my_hubs as mine where mine.role = 'admin'));

create policy memberships_select on app.memberships for select to authenticated
using (
  user_id = (select app.user_id()) or hub_id in (select mine.hub_id from app.my_hubs as mine)
);

create policy hub_mutes_select on app.hub_mutes for select to authenticated
using (user_id = (select app.user_id()));

create policy hub_mutes_insert on app.hub_mutes for insert to authenticated
with check (user_id = (select app.user_id()) and hub_id in (select mine.hub_id from app.my_hubs as mine));

create policy hub_mutes_delete on app.hub_mutes for delete to authenticated
using (user_id = (select app.user_id()) and hub_id in (select mine.hub_id from app.my_hubs as mine));

create policy hub_invitations_select on app.hub_invitations for select to authenticated
using (
  hub_id in (select mine.hub_id from app.my_hubs as mine where mine.role >= 'manager')
  or (inviter_id = (select app.user_id()) and hub_id in (select mine.hub_id from app.my_hubs as mine))
  or (
    phone = (select own.phone from app.users as own where own.id = (select app.user_id()))
    and inviter_id not in (select b.user_id from app.blocked_users as b)
  )
);

create policy invite_links_select on app.invite_links for select to authenticated
using (hub_id in (select mine.hub_id from app.my_hubs as mine where mine.role >= 'manager'));

create policy invite_links_delete on app.invite_links for delete to authenticated
using (hub_id in (select mine.hub_id from app.my_hubs as mine where mine.role >= 'manager'));

create policy join_requests_select on app.join_requests for select to authenticated
using (
  user_id = (select app.user_id())
  or state <> 'withdrawn' and hub_id in (select mine.hub_id from app.my_hubs as mine where mine.role >= 'manager')
);

create policy member_names_select on app.member_names for select to authenticated
using (hub_id in (select mine.hub_id from app.my_hubs as mine));
