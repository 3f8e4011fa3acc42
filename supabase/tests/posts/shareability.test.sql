begin;
select plan(10);

-- Shareability follows the targets that a private post has left (docs/product.md PO11, PO12).
select tests.elm();
select tests.hub(name, 'amara') from unnest(array['oak', 'ash', 'fir']) as name;
select tests.membership(hub, 'jonas') from unnest(array['oak', 'ash', 'fir']) as hub;
select tests.post('trams', 'jonas', 'private_locked_hub');
select tests.placement('trams', hub) from unnest(array['elm', 'oak', 'ash']) as hub;
select tests.placement('trams', 'fir', p_kind => 'shared', p_by => 'amara');
create function pg_temp.card()
returns jsonb
language sql
return tests.value_as('amara', format('(app.seen_cards(%L))[1]::jsonb', tests.ids('trams')));
create function pg_temp.state()
returns text
language sql
as $$
  select concat_ws(
    ', ', case when card -> 'isShareable' = 'true' then 'shareable' else 'locked' end,
    case when card ? 'authorPhoneNumber' then 'phone' end,
    tests.refusal_as('amara', format('select api.get_share_link(%L)', tests.post_args('trams'))),
    tests.refusal_as(
      'amara',
      format('select api.share_to_hubs(%L)', tests.post_args('trams') || jsonb_build_object('hubIds', tests.ids('fir')))
    ),
    tests.refusal_as(
      'amara',
      format(
        'select api.create_repost(%L)', tests.post_args('trams') || '{"visibility": "public", "thoughtText": "Yes"}'
      )
    )
  )
  from pg_temp.card() as card
$$;

select is(pg_temp.state(), 'shareable', 'a private post with three targets is shareable');
select tests.authenticate_as('amara');
select api.remove_hub_post(tests.hub_args('elm', tests.post_args('trams')));
reset role;
select is(pg_temp.state(), 'shareable', 'a private post with two targets left is shareable');
insert into app.suspended_memberships (hub_id, user_id, role, joined_at)
select m.hub_id, m.user_id, m.role, m.joined_at from app.memberships as m where m.hub_id = tests.id('ash');
delete from app.memberships where hub_id = tests.id('ash');
update app.hubs set suspended_at = app.now() where id = tests.id('ash');
select is(pg_temp.state(), 'shareable', 'a suspended Hub counts as a target');
update app.hubs set suspended_at = null where id = tests.id('ash');
select tests.close_hub('ash');
select is(
  pg_temp.state(), 'locked, phone, PT409 POST_NOT_SHAREABLE, PT409 POST_NOT_SHAREABLE, PT409 REPOST_NOT_ALLOWED',
  'a private post with one target left is locked, and its members see the phone of the author'
);
select is(
  pg_temp.card() -> 'hubs' @> jsonb_build_array(jsonb_build_object('id', tests.id('fir'))), true,
  'an onward share of a locked post stays'
);
select is(
  tests.value_as('maya', format('exists (select from app.posts where id = %L)', tests.id('trams'))), 'false',
  'a member of the Hub that lost the post does not see it'
);
delete from app.memberships where hub_id = tests.id('oak') and user_id = tests.id('amara');
select is(
  pg_temp.card() ? 'authorPhoneNumber', false,
  'a member of a Hub of an onward share alone does not see the phone of the author'
);
select tests.membership('oak', 'amara', 'admin');
select tests.authenticate_as('amara');
select api.remove_hub_post(tests.hub_args('oak', tests.post_args('trams')));
reset role;
select is(pg_temp.card() -> 'isShareable', 'false', 'a private post without a target is locked');
select is(pg_temp.card() ? 'authorPhoneNumber', false, 'a private post without a target shows no phone');
select tests.post('public', 'jonas');
select is(
  tests.value_as('lena', format('(app.seen_cards(%L))[1]::jsonb -> ''isShareable''', tests.ids('public'))), 'true',
  'a public post is shareable'
);

select * from finish();
rollback;
