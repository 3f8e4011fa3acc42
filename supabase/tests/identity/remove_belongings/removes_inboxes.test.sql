select plan(7);

select tests.elm();
select tests.post('trams', 'lena');
delete from app.events;
select app.emit('user_followed', tests.id('jonas'), tests.id('maya')), app.emit('user_followed', tests.id('maya'), tests.id('jonas'));
select app.emit('user_followed', tests.id('lena'), tests.id('jonas'));
select app.emit('hub_member_joined', tests.id('maya'), tests.id('maya'), tests.id('elm'));
insert into app.events select (tests.event('hub_role_changed', 'lena', null, 'elm')).*;
select app.tell(e, tests.ids('maya', 'amara')) from app.events as e where e.type = 'hub_role_changed';
select ok(tests.unread('maya') > 0, 'somebody has an inbox');
select app.end_user(tests.id('maya'));
select ok(not app.remove_belongings(tests.id('maya')), 'it takes one step');
select is_empty($$ select from app.notifications where recipient_id = tests.id('maya') $$, 'it goes with them');
select is_empty($$ select from app.inbox_counts where user_id = tests.id('maya') $$, 'and its counts');
select bag_eq($$ select tests.told('jonas') $$, array['user_followed by lena'], 'what they did nobody was told of');
select results_eq($$ select tests.told('amara') $$, array['hub_role_changed by lena in elm'], 'but all else');
select is(tests.unread('jonas'), 1, 'and badges say so');

select * from finish();
