select plan(8);

select tests.elm();
select tests.post('trams', 'jonas');
select tests.invitation('invitation', 'elm', 'jonas', 'lena');
select tests.join_request('request', 'elm', 'lena');
select tests.hub('ash', 'amara');
select tests.comment('hello', 'jonas', 'trams');
delete from app.events;
select tests.person(name) from unnest(array['ben', 'tom']) as name;
select app.emit('post_commented', null, p_comment_id => tests.id('hello')), app.emit('user_followed', tests.id('ben')), app.emit('user_followed', null, tests.id('tom'));
select app.emit('hub_post_created', null, p_post_id => tests.id('trams')), app.emit('hub_invite_received', null, p_invitation_id => tests.id('invitation'));
select app.emit('hub_join_request_created', null, p_join_request_id => tests.id('request')), app.emit('hub_member_joined', null, p_hub_id => tests.id('ash'));

create function pg_temp.left()
returns bigint
language sql
as $$ select count(*) from app.events $$;

select is(pg_temp.left(), 7::bigint, 'seven');
delete from app.comments;
select is(pg_temp.left(), 6::bigint, 'a comment');
delete from app.users where id = tests.id('ben');
select is(pg_temp.left(), 5::bigint, 'who did it');
delete from app.users where id = tests.id('tom');
select is(pg_temp.left(), 4::bigint, 'whom it happened to');
delete from app.posts;
select is(pg_temp.left(), 3::bigint, 'a post');
delete from app.hub_invitations;
select is(pg_temp.left(), 2::bigint, 'an invitation');
delete from app.join_requests;
select is(pg_temp.left(), 1::bigint, 'a request');
delete from app.hubs where id = tests.id('ash');
select is(pg_temp.left(), 0::bigint, 'a Hub');

select * from finish();
