select plan(5);

select tests.elm();
select tests.post('trams', 'lena');
select tests.comment('hello', 'maya', 'trams');
delete from app.events;
select app.emit('post_commented', tests.id('maya'), p_post_id => tests.id('trams'), p_comment_id => tests.id('hello'));
select app.emit('user_followed', tests.id('maya'), tests.id('lena')), app.emit('hub_role_changed', tests.id('amara'), tests.id('jonas'), tests.id('elm'));

select bag_eq('select tests.recipients()', array['lena', 'lena', 'jonas'], 'three were told');
delete from app.comments;
select bag_eq($$ select tests.told('lena') $$, array['user_followed by maya'], 'a comment that is gone takes along that somebody was told of it');
delete from app.hubs where id = tests.id('elm');
select bag_eq('select tests.recipients()', array['lena'], 'and so does a Hub');
select is(tests.unread('lena'), 1, 'badges say so');
delete from app.users where id = tests.id('lena');
select is_empty('select from app.notifications', 'nobody is left of whom nothing is');

select * from finish();
