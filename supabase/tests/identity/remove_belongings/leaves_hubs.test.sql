select plan(7);

select tests.elm();
select tests.asset('photo', 'amara', 'hub_photo');
select tests.asset('other photo', 'maya', 'hub_photo');
select tests.asset('picture', 'amara');
select tests.hub('ash', 'maya');
update app.hubs set photo_asset_id = tests.id(case id when tests.id('elm') then 'photo' else 'other photo' end);
select tests.discussion('trams', 'jonas', 'elm');
delete from app.events;
select tests.message('hers', 'amara', 'trams in elm');
select tests.message('picture alone', 'amara', 'trams in elm');
update app.messages set body = null, asset_id = tests.id('picture') where id = tests.id('picture alone');
select tests.message('his', 'jonas', 'trams in elm');
select app.emit('user_followed', tests.id('amara'), tests.id('maya')), app.emit('user_followed', tests.id('maya'), tests.id('amara'));
select app.emit('user_followed', tests.id('maya'), tests.id('jonas'));

select app.leave_hubs(tests.id('amara'));
select is(app.remove_belongings(tests.id('amara')), false, 'an account without posts and comments is removed in one part');
select set_eq($$ select tests.members('elm') $$, array['maya: admin', 'jonas: member'], 'somebody else leads');
select set_eq(
  'select id, author_id, body, asset_id from app.messages',
  $$
    values
      (tests.id('hers'), null, 'hers', null), (tests.id('picture alone'), null, null, null), (tests.id('his'), tests.id('jonas'), 'his', null::uuid)
  $$,
  'texts stay as anonymous history, pictures do not'
);
select set_eq('select id from app.assets', tests.ids('other photo'), 'nor does a photo that was theirs');
select set_eq('select id from app.hubs where photo_asset_id is null', tests.ids('elm'), 'which that Hub alone loses');
select set_eq('select tests.to_be_removed()', tests.ids('photo', 'picture'), 'both go to the worker');
select set_eq(
  'select actor_id, subject_id from app.events', $$ values (null::uuid, tests.id('maya')), (tests.id('maya'), tests.id('jonas')) $$,
  'nobody is told of them any more'
);

select * from finish();
