select plan(5);

select tests.person(name) from unnest(array['maya', 'jonas']) as name;
select tests.asset('picture', 'jonas');
select tests.post('trams', 'maya');
select tests.comment('root', 'jonas', 'trams', null, app.now() - interval '1 hour');
select tests.comment('reply', 'maya', 'trams', 'root');
update app.comments set body = null, asset_id = tests.id('picture') where id = tests.id('reply');
select tests.comment('deleted', 'maya', 'trams');
select tests.comment('its reply', 'jonas', 'trams', 'deleted');
update app.comments set author_id = null, body = null where id = tests.id('deleted');

create function pg_temp.listed(variadic p_names text[])
returns jsonb
language sql
return app.listed_comments(array(select c from unnest(tests.ids(variadic p_names)) with ordinality as named (id, place) join app.comments as c using (id) order by named.place));

create function pg_temp.card(p_name text, p_change jsonb)
returns jsonb
language sql
return jsonb_build_object(
  'id', tests.id(p_name), 'postId', tests.id('trams'), 'parentCommentId', null, 'text', null, 'assetId', null, 'replyCount', 0,
  'createdAt', app.iso(app.now()), 'isDeleted', false
) || p_change;

select tests.act_as_guest();
select is(
  pg_temp.listed('root') -> 0,
  pg_temp.card('root', jsonb_build_object('author', app.user_lite(p), 'text', 'root', 'replyCount', 1, 'createdAt', app.iso(app.now() - interval '1 hour'))),
  'who said what, when'
)
from app.profiles as p where p.username = 'jonas';
select is(
  pg_temp.listed('reply') -> 0,
  pg_temp.card('reply', jsonb_build_object('author', app.user_lite(p), 'parentCommentId', tests.id('root'), 'assetId', tests.id('picture'))),
  'in reply to what'
)
from app.profiles as p where p.username = 'maya';
select is(
  pg_temp.listed('deleted') -> 0, pg_temp.card('deleted', jsonb_build_object('author', app.user_lite(null), 'replyCount', 1, 'isDeleted', true)), 'and not what was deleted'
);
select is(
  tests.listed(jsonb_build_object('items', pg_temp.listed('reply', 'unknown', 'deleted', 'root'))), tests.ids('reply', 'deleted', 'root'), 'in the order that is asked for'
);
reset role;
select tests.block('jonas', 'maya');
select tests.act_as('maya');
select is(tests.listed(jsonb_build_object('items', pg_temp.listed('root', 'reply'))), tests.ids('reply'), 'those that one sees');

select * from finish();
