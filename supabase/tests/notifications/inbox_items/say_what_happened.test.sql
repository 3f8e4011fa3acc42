select plan(7);

select tests.elm();
select tests.asset('portrait', 'maya', 'profile_photo');
update app.profiles set photo_asset_id = tests.id('portrait') where user_id = tests.id('maya');
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
insert into app.notifications (id, event_id, recipient_id, audience, scope_id, created_at, read_at)
values (tests.id('to jonas'), tests.id('all at once'), tests.id('jonas'), 'hub_member', tests.id('elm'), app.now() - interval '1 hour', app.now());
create function pg_temp.items(p_reader text, variadic p_names text[])
returns jsonb
language plpgsql
as $$
declare
  v_items jsonb;
begin
  perform tests.act_as(p_reader);
  v_items := app.inbox_items(array(select (now(), tests.id(name))::app.list_entry from unnest(p_names) with ordinality as named (name, place) order by place));
  perform set_config('role', 'none', true);
  return v_items;
end
$$;

select is(
  pg_temp.items('jonas', 'to jonas'),
  jsonb_build_array(jsonb_build_object(
    'id', tests.id('to jonas'), 'type', 'post_reposted',
    'actor', jsonb_build_object('id', tests.id('maya'), 'username', 'maya', 'profilePhotoUrl', app.photo_url(tests.id('portrait')), 'isAnonymous', false),
    'postId', tests.id('trams anew'), 'sourcePostId', tests.id('trams'), 'commentId', tests.id('hello'),
    'hub', jsonb_build_object('id', tests.id('elm'), 'name', 'elm'), 'invitationId', tests.id('invitation'), 'joinRequestId', tests.id('request'),
    'milestoneTotal', null, 'milestoneCount', null, 'createdAt', app.iso(app.now() - interval '1 hour'), 'read', true
  )),
  'all of it'
);
insert into app.events (id, type, actor_id, post_id, milestone_total, milestone_count)
values (tests.id('milestone'), 'post_vote_milestone', tests.id('maya'), tests.id('trams'), 501, 500);
insert into app.notifications (id, event_id, recipient_id, audience, scope_id)
values (tests.id('of votes'), tests.id('milestone'), tests.id('jonas'), 'everybody', tests.id('jonas'));
select is(
  pg_temp.items('jonas', 'of votes') -> 0,
  jsonb_build_object(
    'id', tests.id('of votes'), 'type', 'post_vote_milestone',
    'actor', '{"id": "", "username": "", "profilePhotoUrl": null, "isAnonymous": true}'::jsonb, 'postId', tests.id('trams'), 'sourcePostId', null,
    'commentId', null, 'hub', null, 'invitationId', null, 'joinRequestId', null, 'milestoneTotal', 501, 'milestoneCount', 500,
    'createdAt', app.iso(app.now()), 'read', false
  ),
  'or what applies; votes are nobody''s'
);
select is(
  jsonb_path_query_array(pg_temp.items('jonas', 'of votes', 'to jonas'), '$[*].id'), to_jsonb(tests.ids('of votes', 'to jonas')), 'in the order that is asked for'
);
select is(
  jsonb_path_query_array(pg_temp.items('jonas', 'to jonas', 'of votes'), '$[*].id'), to_jsonb(tests.ids('to jonas', 'of votes')), 'either way'
);
select tests.notification('of a follow', 'jonas', p_actor => 'maya');
select is(pg_temp.items('jonas', 'of a follow') #>> '{0,type}', 'user_followed', 'also of what is about no post');
select is(pg_temp.items('lena', 'to jonas'), '[]', 'to its recipient alone');
select set_eq($$ select tests.who_may('select app.inbox_items(null)') $$, array['authenticated'], 'signed-in people read their inbox');

select * from finish();
