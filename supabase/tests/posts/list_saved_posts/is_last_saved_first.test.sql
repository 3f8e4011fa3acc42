select plan(10);

select tests.elm();
select tests.person('anonymous', 1);
select tests.post('trams', 'lena');
select tests.post('bikes', 'amara');
select tests.discussion('locked', 'jonas', 'elm');
select tests.post('of another', 'lena');
insert into app.saved_posts (user_id, post_id, saved_at)
values
  (tests.id('maya'), tests.id('bikes'), app.now() - interval '2 hours'), (tests.id('maya'), tests.id('trams'), app.now() - interval '3 hours'),
  (tests.id('maya'), tests.id('locked'), app.now() - interval '1 hour'), (tests.id('jonas'), tests.id('of another'), app.now());

select is(tests.refusal_of(null, $$ select api.list_saved_posts('{}') $$), '42501', 'guests have no list');
select is(tests.refusal_of('anonymous', $$ select api.list_saved_posts('{}') $$), 'PT403 FORBIDDEN', 'nor have the anonymous');
select tests.act_as('maya');
create temporary table answers as select api.list_saved_posts('{}') as page;
select is(tests.listed(page), tests.ids('locked', 'bikes', 'trams'), 'one''s own') from answers;
select is(page ->> 'nextCursor', null, 'all on a page') from answers;
select is(page #> '{items,1}', (select card from app.post_cards(tests.ids('bikes'))), 'each by its card') from answers;
select is(tests.listed_in_parts('list_saved_posts', '{}'), tests.listed(page), 'or one after the other') from answers;
select is(tests.refusal('list_saved_posts', '{"cursor": "?"}'), 'VALIDATION_FAILED', 'it follows no foreign cursor');
select is(tests.refusal('list_saved_posts', '{"limit": 51}'), 'VALIDATION_FAILED', 'or has more than 50 on a page');
reset role;
select tests.block('amara', 'maya');
delete from app.memberships where user_id = tests.id('maya');
select tests.act_as('maya');
select is(tests.listed(api.list_saved_posts('{"limit": 1}')), tests.ids('trams'), 'what is hidden by now is left out, and the page is full');
select tests.act_as('jonas');
select is(tests.listed(api.list_saved_posts('{}')), tests.ids('of another'), 'to each their own');

select * from finish();
