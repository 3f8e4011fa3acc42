select plan(8);

select tests.elm();
select tests.hub('oak', 'lena');
select tests.link('elm door', 'elm');
select tests.link('oak door', 'oak');

create function pg_temp.seen_by(p_caller text)
returns uuid[]
language plpgsql
as $$
begin
  perform tests.act_as(p_caller);
  return array(select l.id from app.invite_links as l);
end
$$;

select is(pg_temp.seen_by('amara'), array[tests.id('elm door')], 'an admin sees the links of the Hub');
select is(pg_temp.seen_by('maya'), array[tests.id('elm door')], 'so does a manager');
select is(pg_temp.seen_by('jonas'), '{}', 'a member does not');
select is(pg_temp.seen_by('lena'), array[tests.id('oak door')], 'nor does an outsider, whatever they are elsewhere');
select throws_ok('select token_hash from app.invite_links', '42501', null, 'nobody sees tokens');
select throws_ok('update app.invite_links set use_count = 0', '42501', null, 'or changes a link');
select tests.act_as_guest();
select throws_ok('select id from app.invite_links', '42501', null, 'a guest sees none');
select throws_ok('delete from app.invite_links', '42501', null, 'and removes none');

select * from finish();
