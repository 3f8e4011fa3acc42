select plan(3);

select tests.elm();
select tests.post('trams', 'lena');
select tests.repost('trams anew', 'maya', 'trams', 'public_hub');
select tests.comment('hello', 'maya', 'trams');
select tests.invitation('invitation', 'elm', 'maya', 'lena');
select tests.join_request('request', 'elm', 'lena');
delete from app.events;
insert into app.events (id, type, actor_id, subject_id, hub_id, post_id, comment_id, invitation_id, join_request_id)
values (
  tests.id('all at once'), 'post_reposted', tests.id('maya'), tests.id('lena'), tests.id('elm'), tests.id('trams anew'), tests.id('hello'),
  tests.id('invitation'), tests.id('request')
);
insert into app.notifications (id, event_id, recipient_id, audience, scope_id)
values (tests.id('to lena'), tests.id('all at once'), tests.id('lena'), 'everybody', tests.id('lena'));
create function pg_temp.envelope(p_name text)
returns jsonb
language sql
as $$ select envelope from app.due_notifications where id = tests.id(p_name) $$;

select is(
  pg_temp.envelope('to lena'),
  jsonb_build_object(
    'notificationId', tests.id('to lena'), 'type', 'post_reposted', 'recipientUserId', tests.id('lena'), 'actorIsAnonymous', false,
    'actorId', tests.id('maya'), 'postId', tests.id('trams anew'), 'sourcePostId', tests.id('trams'), 'commentId', tests.id('hello'),
    'hubId', tests.id('elm'), 'invitationId', tests.id('invitation'), 'joinRequestId', tests.id('request')
  ),
  'what it is about'
);
select tests.notification('milestone', 'lena', 'post_vote_milestone', 'maya', p_post => 'trams');
select is(
  pg_temp.envelope('milestone'),
  jsonb_build_object(
    'notificationId', tests.id('milestone'), 'type', 'post_vote_milestone', 'recipientUserId', tests.id('lena'), 'actorIsAnonymous', true,
    'postId', tests.id('trams')
  ),
  'and nothing else; votes are nobody''s'
);
select tests.person('tom', 1);
select tests.notification('of somebody anonymous', 'lena', p_actor => 'tom');
select is(
  pg_temp.envelope('of somebody anonymous'),
  jsonb_build_object(
    'notificationId', tests.id('of somebody anonymous'), 'type', 'user_followed', 'recipientUserId', tests.id('lena'), 'actorIsAnonymous', true
  ),
  'nor is what somebody without a profile did theirs'
);

select * from finish();
