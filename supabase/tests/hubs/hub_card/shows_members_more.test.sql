select plan(3);

select tests.elm();
update app.hubs set custom_link = 'elm-street';
update app.memberships set seen_at = app.now() where user_id in (tests.id('amara'), tests.id('maya'));

create function pg_temp.more()
returns jsonb
language sql
as $$
  select app.hub_card(h, app.standing_in(h.id)) - array(select jsonb_object_keys(app.hub_preview(h, app.standing_in(h.id)))) from app.hubs as h
$$;

select tests.act_as('jonas');
select is(pg_temp.more(), '{"customLink": "elm-street", "activeUsers24h": 2}', 'its link and how much it is used');
select is(app.hub_card(h, app.standing_in(h.id)) ->> 'viewerRole', 'member', 'beside what the preview holds') from app.hubs as h;
select tests.act_as('lena');
select is(pg_temp.more(), '{}', 'others see the preview');

select * from finish();
