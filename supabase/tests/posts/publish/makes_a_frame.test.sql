select plan(9);

select tests.elm();
select tests.hub('ash', 'jonas');
select tests.hub('oak', 'lena');
select tests.post('trams', 'lena');
select tests.article('about trams', 'jonas');

create function pg_temp.publish(p_args jsonb, p_article uuid default null, p_source uuid default null, variadic p_hubs text[] default '{}')
returns jsonb
language sql
return app.publish(p_args || jsonb_build_object('hubIds', to_jsonb(tests.ids(variadic p_hubs))), p_article, p_source);

select tests.act_as('jonas');
create temporary table answers as
select
  pg_temp.publish('{"thoughtText": "Mine", "sliderText": "More?", "visibility": "public"}', tests.id('about trams')) as original,
  pg_temp.publish('{"sliderText": "Less?", "slider": {"leftLabel": "No", "rightLabel": "Yes"}, "visibility": "private_locked_hub"}', null, tests.id('trams'), 'elm', 'ash') as repost,
  pg_temp.publish('{"thoughtText": "One", "visibility": "private_locked_hub"}', null, null, 'elm') as locked,
  app.publish('{"thoughtText": "None", "hubIds": null, "visibility": "public"}', null, null) as plain;
select is(original, app.post_detail((original ->> 'id')::uuid), 'and answers its detail') from answers;
select results_eq(
  $$ select p.author_id, p.article_id, p.source_post_id, p.thought_text, p.slider_text, p.left_label, p.right_label, p.visibility::text, p.is_shareable from answers join app.posts as p on p.id = (original ->> 'id')::uuid $$,
  $$ select tests.id('jonas') as author, tests.id('about trams') as article, null::uuid, 'Mine', 'More?', 'Disagree', 'Agree', 'public', true $$, 'of an article'
);
select results_eq(
  $$ select p.author_id, p.article_id, p.source_post_id, p.thought_text, p.slider_text, p.left_label, p.right_label, p.visibility::text, p.is_shareable from answers join app.posts as p on p.id = (repost ->> 'id')::uuid $$,
  $$ select tests.id('jonas') as author, null::uuid, tests.id('trams') as source, null, 'Less?', 'No', 'Yes', 'private_locked_hub', true $$, 'or of an original'
);
select results_eq(
  $$ select p.thought_text, p.slider_text, p.left_label, p.right_label, p.is_shareable from answers join app.posts as p on p.id = (locked ->> 'id')::uuid $$,
  $$ values ('One', null, null, null, false) $$, 'for one Hub alone'
);
select bag_eq(
  $$ select p.post_id, p.hub_id, p.kind::text from app.placements as p $$,
  $$
    select (repost ->> 'id')::uuid, unnest(tests.ids('elm', 'ash')), 'targeted' from answers
    union all select (locked ->> 'id')::uuid, tests.id('elm'), 'targeted' from answers
  $$,
  'or several, all as they were meant'
);
select is(plain ->> 'thoughtText', 'None', 'or none') from answers;
select is(locked, app.post_detail((locked ->> 'id')::uuid), 'the detail of any') from answers;
select throws_ok(
  $$ select pg_temp.publish('{"thoughtText": "One", "visibility": "public_hub"}', null, null, 'elm', 'oak') $$, 'PT403', 'FORBIDDEN', 'in those of others it publishes nothing'
);
reset role;
select set_eq($$ select tests.who_may('select app.publish(null, null, null)') $$, array['authenticated'], 'and for guests neither');

select * from finish();
