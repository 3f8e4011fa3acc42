begin;
select plan(15);
savepoint empty;

-- close_hub ends a Hub for all its members (docs/product.md H29).
select tests.elm();
select tests.person('ben', 4), tests.person('cleo', 4);
select tests.hub('ash', 'ben'), tests.membership('ash', 'jonas');
update app.hubs set custom_link = 'elm' where id = tests.id('elm');
select tests.discussion('trams', 'jonas', 'elm'), tests.message('hello', 'maya', 'trams in elm');
select tests.post('bikes', 'maya'), tests.comment('nice', 'jonas', 'bikes');
select tests.invitation('of jonas', 'elm', 'amara', 'jonas'), tests.invitation('of cleo', 'elm', 'amara', 'cleo');
select tests.invite_link('link', 'elm'), tests.join_request('of ben', 'elm', 'ben');
delete from app.events;

select is(
  tests.refusals('close_hub', tests.hub_args('elm')), tests.refusals_below_admin('FORBIDDEN', 'FORBIDDEN'),
  'admins at level 4 alone can close a Hub'
);
select is(
  tests.refusals('close_hub', tests.hub_args('oak')), tests.refusals_of_all('HUB_NOT_FOUND'),
  'nobody can close an unknown Hub'
);
select is(
  tests.refusals('close_hub', tests.hub_args('ash')) -> 'amara', '"FORBIDDEN"',
  'an admin cannot close the Hub of others'
);
select tests.authenticate_as('amara');
select is(api.close_hub(tests.hub_args('elm')), '{}', 'an admin can close a Hub with other members');
select is(tests.refusal('close_hub', tests.hub_args('elm')), 'HUB_NOT_FOUND', 'a closed Hub cannot be closed again');
reset role;
select results_eq(
  $$ select closed_at, custom_link, member_count from app.hubs where id = tests.id('elm') $$,
  'values (app.now(), null::text, 0)',
  'closing a Hub frees its link and leaves no member'
);
select is_empty($$ select tests.members('elm') $$, 'closing a Hub ends all its memberships');
select bag_eq(
  $$ select tests.members('ash') $$, array['ben: admin', 'jonas: member'], 'closing a Hub changes no other Hub'
);
select is_empty('select from app.events', 'closing a Hub notifies nobody');
select is_empty(
  $$ select from app.member_names where hub_id = tests.id('elm') $$, 'closing a Hub deletes the names of its members'
);
select is_empty(
  $$
    select from app.feed_events
    where hub_id = tests.id('elm') and ended_at is null and kind not in ('targeted', 'shared_to_hub')
  $$,
  'closing a Hub ends the activity of its members in its source'
);
select set_eq(
  $$ select subject_id from app.feed_changes where object_id = tests.id('elm') and former_at is not null $$,
  tests.ids('amara', 'maya', 'jonas'),
  'closing a Hub keeps it as a former source of its members'
);
select bag_eq(
  $$ select tests.states('of jonas', 'of cleo') $$, array['of jonas: expired', 'of cleo: pending'],
  'closing a Hub expires the invitations of its members'
);
select is(
  array[
    tests.refusal_as(
      'cleo', format('select api.accept_invitation(%L)', jsonb_build_object('invitationId', tests.id('of cleo')))
    ),
    tests.refusal_as(
      'lena', format('select api.request_to_join(%L)', jsonb_build_object('tokenHash', tests.hash_hex('link')))
    ),
    tests.refusal_as('ben', format('select api.get_hub(%L)', tests.hub_args('elm')))
  ],
  array['PT404 INVITATION_NOT_FOUND', 'PT404 INVITE_LINK_NOT_FOUND', 'PT404 HUB_NOT_FOUND'],
  'invitations and invite links to a closed Hub lead nowhere'
);
do $$
begin
  for n in 1..10 loop
    perform app.prune_closed_hubs();
  end loop;
end
$$;
select results_eq('select id from app.hubs', tests.ids('ash'), 'upkeep removes a Hub that an admin closed');

select * from finish();
rollback;
