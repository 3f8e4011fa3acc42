create type app.hub_person as (
  user_id uuid, display_name text, photo_asset_id uuid, username text, phone_number text, role app.hub_role, joined_at timestamptz
);
comment on type app.hub_person is 'Somebody as the members of a Hub see them: an active member by their private Hub profile, with phone, role and when they joined; anybody else by the public profile alone (spec.md "Privacy rules").';
