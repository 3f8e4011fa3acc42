create function app.erase_person(p_user_id uuid)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  -- A sign-in under way holds this row until its session is there to be seen.
  perform from app.users where id = p_user_id for update;
  delete from app.sessions where user_id = p_user_id;
  delete from app.device_tokens where user_id = p_user_id;
  delete from app.contact_snapshots where user_id = p_user_id;
  delete from app.profiles where user_id = p_user_id;
  delete from app.hub_profiles where user_id = p_user_id;
  delete from app.uploads where owner_id = p_user_id and asset_id is null;
  delete from app.suspended_memberships where user_id = p_user_id;
  delete from app.default_feed_users where user_id = p_user_id;
  delete from app.rate_meters where subject = p_user_id::text;
  delete from gateway.idempotent_answers where user_id = p_user_id;
  delete from app.hub_invitations where inviter_id = p_user_id;
  delete from app.join_requests where user_id = p_user_id;
  delete from app.saved_discussions where user_id = p_user_id;
  delete from app.hub_mutes where user_id = p_user_id;
  delete from app.former_sources where user_id = p_user_id;
  delete from app.saved_posts where user_id = p_user_id;
  update app.reports set reporter_id = null where reporter_id = p_user_id;
  -- That one is open still says nothing of who owns the phone, nor would its end.
  delete from app.hub_invitations as i
  using app.users as u
  where u.id = p_user_id and i.phone = u.phone and i.state <> 'pending';
  -- Whoever has this phone in their contacts has it as an entry of this person: it goes as a whole, name and all.
  delete from app.contacts as c
  using app.users as u
  where u.id = p_user_id and c.phone_numbers @> array[u.phone];
  update app.users
  set phone = null, phone_verified_at = null, device_hash = null, terms_version = null, terms_accepted_at = null,
    media_completed_at = null, contacts_synced_at = null, ended_at = coalesce(ended_at, app.now())
  where id = p_user_id;
end
$$;
comment on function app.erase_person(uuid) is 'Ends an account and erases who it was: sessions, device tokens, phone, device, contacts, name, handle and photos. Its row stays, an id and nothing else, for the receipts of its votes.';

revoke all on function app.erase_person(uuid) from public;
