create type app.hub_person as (
  user_id uuid, display_name text, photo_asset_id uuid, username text, phone_number text, is_member boolean
);
comment on type app.hub_person is 'Somebody as the members of a Hub see them: an active member by their private Hub profile and with their phone, anybody else by the public one and without (spec.md "Privacy rules").';
