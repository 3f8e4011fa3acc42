select plan(9);

select tests.elm();
select tests.hub('oak', 'lena');
select tests.link('door', 'elm');
select tests.link('narrow door', 'elm', 2);
select tests.link('over', 'elm', p_expires_at => app.now());
select tests.link('to oak', 'oak');
select tests.close_hub('oak');

create function pg_temp.refusal_of(p_token text)
returns text
language sql
as $$ select tests.refusal_of(null, format('select app.link_of(tests.hash(%L))', p_token)) $$;

select tests.act_as_guest();
select is((app.link_of(tests.hash('door'))).id, tests.id('door'), 'whoever has its token finds a link');
reset role;
select is(pg_temp.refusal_of('nothing'), 'PT404 INVITE_LINK_NOT_FOUND', 'of no other token');
select is(pg_temp.refusal_of('over'), 'PT404 INVITE_LINK_NOT_FOUND', 'not when it has expired');
select is(pg_temp.refusal_of('to oak'), 'PT404 INVITE_LINK_NOT_FOUND', 'or its Hub is closed');
update app.invite_links set use_count = 1;
select is(pg_temp.refusal_of('narrow door'), null, 'as long as a use is left');
update app.invite_links set use_count = 2;
select is(pg_temp.refusal_of('narrow door'), 'PT404 INVITE_LINK_NOT_FOUND', 'and no longer');
select is(pg_temp.refusal_of('door'), null, 'where uses are counted');
delete from app.invite_links where id = tests.id('door');
select is(pg_temp.refusal_of('door'), 'PT404 INVITE_LINK_NOT_FOUND', 'not when it is revoked');
select set_eq($$ select tests.who_may('select app.link_of(null)') $$, array['anon', 'authenticated'], 'guests look as well');

select * from finish();
