select plan(6);

select tests.elm();
select tests.post('trams', 'amara');
select tests.placed('trams', 'elm');
insert into app.saved_discussions (user_id, discussion_id) values (tests.id('jonas'), tests.id('trams in elm'));
insert into app.hub_mutes (hub_id, user_id) values (tests.id('elm'), tests.id('jonas'));
select app.end_membership(tests.id('elm'), tests.id('jonas'));

select tests.act_as('jonas');
select is(api.list_saved_discussions('{}') -> 'items', '[]', 'a former member does not see a saved discussion of the Hub');
select is(
  tests.error_of($$ select api.get_hub_settings(tests.in_hub('elm')) $$) ->> 'code', 'FORBIDDEN', 'a former member does not read the mute'
);
select is(
  tests.error_of($$ delete from app.hub_mutes $$), null, 'a former member may try to delete the mute'
);
reset role;
select app.become_member(tests.id('elm'), tests.id('jonas'));
select tests.act_as('jonas');
select is(
  api.list_saved_discussions('{}') #>> '{items,0,id}', tests.id('trams in elm')::text, 'a member who came back sees the saved discussion'
);
select is(api.get_hub_settings(tests.in_hub('elm')), '{"contentMuted": true}', 'a member who came back has the Hub muted');
reset role;
delete from app.hubs where id = tests.id('elm');
select is_empty('select from app.hub_mutes', 'a mute goes with its Hub');

select * from finish();
