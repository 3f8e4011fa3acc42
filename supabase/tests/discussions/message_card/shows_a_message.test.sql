select plan(2);

select tests.elm();
select tests.asset('picture', 'jonas');
select tests.discussion('trams', 'maya', 'elm');
select tests.message('root', 'jonas', 'trams in elm');
select tests.message('reply', 'jonas', 'trams in elm', 'root', app.now() - interval '1 day');
update app.messages set reply_count = 3 where id = tests.id('root');
update app.messages set body = null, asset_id = tests.id('picture') where id = tests.id('reply');

create function pg_temp.expected(p_change jsonb)
returns jsonb
language sql
return jsonb_build_object(
  'discussionId', tests.id('trams in elm'), 'author', tests.author('elm', 'jonas'), 'parentMessageId', null,
  'text', null, 'assetId', null, 'replyCount', 0
) || p_change;

select tests.act_as('maya');
select is(
  app.listed_messages(m.hub_id, array[m]) -> 0,
  pg_temp.expected(jsonb_build_object('id', tests.id('root'), 'text', 'root', 'replyCount', 3, 'createdAt', app.iso(app.now()))), 'a text'
)
from app.messages as m where m.id = tests.id('root');
select is(
  app.listed_messages(m.hub_id, array[m]) -> 0,
  pg_temp.expected(jsonb_build_object(
    'id', tests.id('reply'), 'parentMessageId', tests.id('root'), 'assetId', tests.id('picture'), 'createdAt', app.iso(app.now() - interval '1 day')
  )),
  'or a picture, in a thread'
)
from app.messages as m where m.id = tests.id('reply');

select * from finish();
