select plan(1);

select tests.person('guest', 1);
select tests.act_as('guest');
select is(
  app.own_profile() #> '{editable}' || jsonb_build_object('isAnonymous', app.own_profile() -> 'isAnonymous'),
  '{"fullName": null, "username": null, "bio": null, "profileAssetId": null, "isAnonymous": true}',
  'who has not registered has a profile without values'
);

select * from finish();
