select plan(9);

select tests.elm();
select tests.hub('ash', 'jonas');
select tests.asset('picture', 'jonas');
select tests.asset('other picture', 'maya');
select tests.asset('face', 'jonas', 'profile_photo');
select tests.discussion('trams', 'maya', 'elm', app.now() - interval '1 day');
select tests.placed('trams', 'ash', app.now() - interval '1 day');
update app.hubs set last_activity_at = app.now() - interval '1 day';
delete from app.events;

create function pg_temp.say(p_args jsonb)
returns jsonb
language sql
return api.create_message(tests.in_discussion('trams in elm', p_args));

select tests.act_as('jonas');
create temporary table answers as
select pg_temp.say('{"text": "Hello"}') as text, pg_temp.say(jsonb_build_object('assetId', tests.id('picture'))) as picture;
select is(
  text - 'id',
  jsonb_build_object(
    'discussionId', tests.id('trams in elm'), 'parentMessageId', null, 'author', tests.author('elm', 'jonas'),
    'text', 'Hello', 'assetId', null, 'replyCount', 0, 'createdAt', app.iso(app.now())
  ),
  'in words'
)
from answers;
select is(picture -> 'assetId', to_jsonb(tests.id('picture')), 'or pictures') from answers;
select is(
  pg_temp.say(jsonb_build_object('text', 'Again', 'parentMessageId', text -> 'id')) -> 'parentMessageId', text -> 'id', 'or in reply'
)
from answers;
select is(text || '{"replyCount": 1}', app.listed_messages(m.hub_id, array[m]) -> 0, 'as others read it') from answers join app.messages as m on m.id = (text ->> 'id')::uuid;
select is(
  tests.error_of($$ select pg_temp.say(jsonb_build_object('assetId', tests.id('other picture'))) $$) #> '{details,issues,0,path}', '["assetId"]', 'one''s own'
);
select is(
  tests.error_of($$ select pg_temp.say(jsonb_build_object('assetId', tests.id('face'))) $$) #> '{details,issues,0,path}', '["assetId"]', 'of posts'
);
select is(tests.violation_of($$ select pg_temp.say('{}') $$), 'messages_have_content', 'nothing is not said');
reset role;
select set_eq(
  'select d.id, d.message_count, d.last_activity_at, h.last_activity_at as of_hub from app.discussions as d join app.hubs as h on h.id = d.hub_id',
  $$
    values
      (tests.id('trams in elm'), 3, app.now(), app.now()),
      (tests.id('trams in ash'), 0, app.now() - interval '1 day', app.now() - interval '1 day')
  $$,
  'and moves the discussion and its Hub up'
);
select is_empty('select from app.events', 'nobody is notified of it');

select * from finish();
