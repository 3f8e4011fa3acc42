select plan(5);

select tests.elm();
select tests.post('trams', 'lena');
select tests.repost('again', 'jonas', 'trams');
select tests.comment('hello', 'jonas', 'trams');
select tests.comment('reply', 'lena', 'trams', 'hello');
insert into app.saved_posts (user_id, post_id) values (tests.id('maya'), tests.id('trams')), (tests.id('jonas'), tests.id('again'));

create function pg_temp.card(p_name text)
returns jsonb
language sql
return (select card from app.post_cards(tests.ids(p_name)));

select tests.act_as('maya');
select is(pg_temp.card('trams') -> 'commentCount', '2', 'comments and replies');
select is(pg_temp.card('trams') -> 'repostCount', '1', 'and reposts');
select is(pg_temp.card('trams') -> 'viewerSaved', 'true', 'whoever saved it sees that');
select is(pg_temp.card('again') -> 'viewerSaved', 'false', 'and not that others did');
select tests.act_as_guest();
select is(pg_temp.card('trams') -> 'viewerSaved', 'false', 'guests have saved none');

select * from finish();
