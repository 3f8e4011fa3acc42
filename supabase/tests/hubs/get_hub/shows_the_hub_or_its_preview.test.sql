select plan(7);

select tests.elm();
select tests.person('guest', 1);
select tests.hub('ash', 'lena');
select tests.close_hub('ash');
update app.hubs set custom_link = 'elm-street' where id = tests.id('elm');
update app.memberships set seen_at = app.now() - interval '1 hour';

select is(
  tests.refusals('get_hub', tests.in_hub('elm')), '{"guest": "not theirs", "signed out": "UNAUTHORIZED"}', 'to whoever has a session'
);
select tests.act_as('lena');
select set_config('request.jwt.claims', (tests.claims('lena') || '{"session_id": "00000000-0000-0000-0000-000000000000"}')::text, true);
select is(tests.refusal('get_hub', tests.in_hub('elm')), 'UNAUTHORIZED', 'that is live');
select tests.act_as('guest');
select is(
  api.get_hub(tests.in_hub('elm')), (select app.hub_preview(h, ('none', null, null, null)) from app.hubs as h), 'an outsider sees the preview'
);
select is(tests.refusal('get_hub', tests.in_hub('ash')), 'HUB_NOT_FOUND', 'and of a closed one nothing');
select is(tests.refusal('get_hub', tests.in_hub('unknown')), 'HUB_NOT_FOUND', 'as of none');
select tests.act_as('jonas');
select is(api.get_hub(tests.in_hub('elm')) ->> 'customLink', 'elm-street', 'a member sees the Hub');
reset role;
select results_eq(
  'select user_id from app.memberships where seen_at = app.now()', tests.ids('jonas'), 'and has used it by that'
);

select * from finish();
