select plan(12);

select tests.elm();
select tests.discussion('locked', 'jonas', 'elm');
update app.posts set is_shareable = false where id = tests.id('locked');
select tests.discussion('for two', 'jonas', 'elm');
select tests.discussion('of lena', 'lena', 'elm');
update app.posts set is_shareable = false where id = tests.id('of lena');

create function pg_temp.phone(p_caller text, p_post text default 'locked')
returns jsonb
language plpgsql
as $$
declare
  v_phone jsonb;
begin
  if p_caller is null then
    perform tests.act_as_guest();
  else
    perform tests.act_as(p_caller);
  end if;
  v_phone := app.author_phone(tests.id(p_post));
  if p_caller is not null and exists (select from app.posts as p where p.id = tests.id(p_post))
    and (select card from app.post_cards(tests.ids(p_post))) -> 'authorPhoneNumber' is distinct from v_phone -> 'authorPhoneNumber' then
    raise exception 'the card says otherwise';
  end if;
  perform set_config('role', 'none', true);
  return v_phone;
end
$$;

select is(pg_temp.phone('maya'), jsonb_build_object('authorPhoneNumber', tests.phone_of('jonas')), 'members read it');
select is(pg_temp.phone('jonas'), jsonb_build_object('authorPhoneNumber', tests.phone_of('jonas')), 'as does the author');
select is(pg_temp.phone('lena'), '{}', 'outsiders do not');
select is(pg_temp.phone(null), '{}', 'or guests');
select is(pg_temp.phone('maya', 'for two'), '{}', 'of what can be shared it is never there');
select is(pg_temp.phone('maya', 'of lena'), '{}', 'nor of an author who is no member');
select is(pg_temp.phone('maya', 'unknown'), '{}', 'nor of nothing');
select tests.hub('ash', 'lena');
select tests.membership('ash', 'jonas');
select is(pg_temp.phone('lena'), '{}', 'that they meet elsewhere is nothing');
delete from app.memberships where user_id = tests.id('maya');
select is(pg_temp.phone('maya'), '{}', 'who has left reads it no more');
select is(pg_temp.phone('amara'), jsonb_build_object('authorPhoneNumber', tests.phone_of('jonas')), 'who stays does');
update app.users set phone = null, phone_verified_at = null where id = tests.id('jonas');
select is(pg_temp.phone('amara'), '{}', 'if there is one');
delete from app.memberships where user_id = tests.id('jonas') and hub_id = tests.id('elm');
update app.users set phone = tests.phone_of('jonas'), phone_verified_at = app.now() where id = tests.id('jonas');
select is(pg_temp.phone('amara'), '{}', 'of an author who has left there is none');

select * from finish();
