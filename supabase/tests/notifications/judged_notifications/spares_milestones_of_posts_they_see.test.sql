select plan(2);

select tests.elm();
select tests.hub('oak', 'lena');
select tests.slider('trams', 'jonas', 'private_locked_hub');
select tests.placed('trams', 'elm');
select tests.placed('trams', 'oak', app.now(), 'shared', 'maya');
delete from app.events;
select tests.notification('to its author', 'jonas', 'post_vote_milestone', p_post => 'trams');
select tests.notification('to a voter', 'lena', 'post_vote_milestone', p_post => 'trams', p_author => 'jonas');

-- spec.md "Notification types": recipients of milestones are those who may see the post: its author, and active members of Hubs into which it was shared onward.
select is_empty($$ select from app.judged_notifications as n where n.is_withheld and n.id = tests.id('to a voter') $$, 'a member of a Hub into which it was shared sees the post, and its milestones');
delete from app.memberships where user_id = tests.id('jonas');
select is_empty($$ select from app.judged_notifications as n where n.is_withheld and n.id = tests.id('to its author') $$, 'an author who left sees their post, and its milestones');

select * from finish();
