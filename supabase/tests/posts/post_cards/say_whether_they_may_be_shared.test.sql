select plan(2);

select tests.elm();
select tests.post('trams', 'jonas', 'private_locked_hub');
select tests.placed('trams', 'elm');
select tests.post('bikes', 'jonas', 'public');
update app.posts set is_shareable = false where id = tests.id('trams');

create function pg_temp.card(p_name text)
returns jsonb
language sql
return (select card from app.post_cards(tests.ids(p_name)));

select tests.act_as('maya');
select is(pg_temp.card('trams') -> 'isShareable', 'false', 'or not');
select is(pg_temp.card('bikes') -> 'isShareable', 'true', 'by what the author chose');

select * from finish();
