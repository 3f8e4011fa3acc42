select plan(13);

select tests.elm();
select tests.post('trams', 'lena');
select tests.repost('second', 'jonas', 'trams');
select tests.repost('first', 'maya', 'trams', 'public_hub');
select tests.repost('locked', 'amara', 'trams', 'private_locked_hub');
select tests.placed('locked', 'elm');
select tests.post('other', 'lena');
select tests.repost('of another', 'jonas', 'other');
update app.posts as p set created_at = app.now() - at
from (values ('trams', interval '4 hours'), ('first', '3 hours'), ('second', '2 hours'), ('locked', '1 hour')) as made (name, at)
where p.id = tests.id(made.name);

create function pg_temp.frames(p_post text, p_args jsonb default '{}')
returns uuid[]
language sql
return tests.listed(api.list_frames(tests.arguments(p_post) || p_args));

select tests.act_as_guest();
select is(pg_temp.frames('trams'), tests.ids('trams', 'first', 'second'), 'the original, then its reposts, oldest first');
select is(pg_temp.frames('second'), tests.ids('trams', 'first', 'second'), 'from whichever one begins');
select is(tests.refusal('list_frames', tests.arguments('locked')), 'POST_NOT_FOUND', 'unless that is hidden');
select is(tests.refusal('list_frames', tests.arguments('unknown')), 'POST_NOT_FOUND', 'or none');
select is(tests.refusal('list_frames', tests.arguments('trams') || '{"cursor": "?"}'), 'VALIDATION_FAILED', 'it follows no foreign cursor');
select is(tests.refusal('list_frames', tests.arguments('trams') || '{"limit": 51}'), 'VALIDATION_FAILED', 'or has more than 50 on a page');
select tests.act_as('maya');
select is(pg_temp.frames('trams'), tests.ids('trams', 'first', 'second', 'locked'), 'to each those that they see');
select is(
  (api.list_frames(tests.arguments('trams')) #> '{items,1}'), (select card from app.post_cards(tests.ids('first'))), 'each by its card'
);
select is(tests.listed_in_parts('list_frames', tests.arguments('trams')), pg_temp.frames('trams'), 'all of them, or one after the other');
reset role;
update app.posts set visibility = 'private_locked_hub' where id = tests.id('trams');
select tests.act_as('maya');
select is(pg_temp.frames('first'), tests.ids('first', 'second', 'locked'), 'an original that is hidden is not among them');
select is(tests.listed_in_parts('list_frames', tests.arguments('first')), pg_temp.frames('first'), 'in parts neither');
reset role;
delete from app.posts where id = tests.id('trams');
select tests.act_as('maya');
select is(pg_temp.frames('first'), tests.ids('first', 'second', 'locked'), 'without it reposts stay together');
select is(pg_temp.frames('of another'), tests.ids('other', 'of another'), 'and apart from those of others');

select * from finish();
