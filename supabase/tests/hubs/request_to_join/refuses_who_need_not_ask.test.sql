select plan(8);

select tests.elm();
select tests.link('door', 'elm');

create function pg_temp.refusal_of(p_caller text)
returns text
language sql
as $$ select tests.refusal_of(p_caller, 'select app.request_to_join(tests.hash($s$door$s$))') $$;

select is(pg_temp.refusal_of('jonas'), 'PT409 ALREADY_MEMBER', 'a member need not ask');
select is(pg_temp.refusal_of(null), '42501', 'a guest cannot');
update app.users set contacts_synced_at = null where id = tests.id('lena');
select is(pg_temp.refusal_of('lena'), 'PT403 FORBIDDEN', 'nor can who is not Hub-ready');
update app.users set contacts_synced_at = app.now();
select is(
  tests.refusal_of('lena', $$ select app.request_to_join(tests.hash('nothing')) $$), 'PT404 INVITE_LINK_NOT_FOUND', 'nor anybody without a link'
);
select is(use_count, 0, 'none of them uses the link') from app.invite_links;
select pg_temp.refusal_of('lena');
select is(pg_temp.refusal_of('lena'), '23505', 'who has asked waits');
select is(use_count, 1, 'and uses it once') from app.invite_links;
update app.join_requests set state = 'rejected';
select is(pg_temp.refusal_of('lena'), null, 'who was rejected may ask again');

select * from finish();
