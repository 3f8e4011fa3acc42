select plan(8);

select tests.elm();
select tests.asset('picture', 'jonas');
select tests.asset('other picture', 'maya');
select tests.asset('face', 'jonas', 'profile_photo');
select tests.post('trams', 'lena');

create function pg_temp.say(p_args jsonb)
returns jsonb
language sql
return api.create_comment(tests.arguments('trams') || p_args);

select tests.act_as('jonas');
create temporary table answers as
select pg_temp.say('{"text": "Hello", "parentCommentId": null, "assetId": null}') as text, pg_temp.say(jsonb_build_object('assetId', tests.id('picture'))) as picture;
select is(
  text - 'id',
  jsonb_build_object(
    'postId', tests.id('trams'), 'parentCommentId', null, 'author', app.user_lite(p),
    'text', 'Hello', 'assetId', null, 'replyCount', 0, 'createdAt', app.iso(app.now()), 'isDeleted', false
  ),
  'in words'
)
from answers, app.profiles as p where p.username = 'jonas';
select is(
  jsonb_build_array(picture -> 'assetId', picture -> 'text'), jsonb_build_array(tests.id('picture'), null), 'or pictures'
)
from answers;
select is(
  tests.error_of($$ select pg_temp.say(jsonb_build_object('assetId', tests.id('other picture'))) $$) #> '{details,issues,0,path}', '["assetId"]', 'one''s own'
);
select is(
  tests.error_of($$ select pg_temp.say(jsonb_build_object('assetId', tests.id('face'))) $$) #> '{details,issues,0,path}', '["assetId"]', 'of posts'
);
select is(tests.violation_of($$ select pg_temp.say('{}') $$), 'comments_have_content', 'nothing is not said');
reset role;
select set_eq(
  'select author_id, post_id, parent_id, body, asset_id from app.comments',
  $$
    values
      (tests.id('jonas'), tests.id('trams'), null::uuid, 'Hello', null::uuid), (tests.id('jonas'), tests.id('trams'), null, null, tests.id('picture'))
  $$,
  'by whoever says it'
);
select is(comment_count, 2, 'and counted') from app.posts;
select tests.act_as('maya');
select is(app.listed_comments(array(select c from app.comments as c where c.id = (text ->> 'id')::uuid)) -> 0, text, 'others read the same') from answers;

select * from finish();
