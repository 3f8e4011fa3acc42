select plan(4);

select tests.elm();
select tests.hub('ash', 'amara');
select tests.asset('photo', 'amara', 'hub_photo');
select tests.discussion('trams', 'amara', 'elm');
select tests.message('message', 'amara', 'trams in elm');

create function pg_temp.show(p_elm text, p_ash text, p_message text, p_face text)
returns void
language sql
as $$
  update app.hubs set photo_asset_id = tests.id(case id when tests.id('elm') then p_elm else p_ash end);
  update app.profiles set photo_asset_id = tests.id(p_face) where user_id = tests.id('amara');
  update app.messages set asset_id = tests.id(p_message);
$$;

select pg_temp.show('photo', 'photo', null, null);
select pg_temp.show(null, 'photo', null, null);
select is_empty('select tests.to_be_removed()', 'what one Hub lets go of and another shows stays');
select pg_temp.show(null, 'photo', 'photo', null);
update app.hubs set photo_asset_id = null;
select is_empty('select tests.to_be_removed()', 'as does what a message shows');
select pg_temp.show('photo', null, 'photo', 'photo');
update app.messages set asset_id = null;
update app.profiles set photo_asset_id = null;
select is_empty('select tests.to_be_removed()', 'and what a Hub shows that others let go of');
update app.hubs set photo_asset_id = null;
select set_eq('select tests.to_be_removed()', tests.ids('photo'), 'at last it goes');

select * from finish();
