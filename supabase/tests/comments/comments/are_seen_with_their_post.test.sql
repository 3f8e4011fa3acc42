select plan(13);

select tests.elm();
select tests.person('ann');
select tests.post('trams', 'lena');
select tests.post('bikes', 'maya', 'public_hub');
select tests.comment(name, name, 'trams') from unnest(array['jonas', 'maya', 'ann']) as name;
select tests.comment('reply of jonas', 'jonas', 'trams', 'maya');

create function pg_temp.seen(p_caller text)
returns text[]
language plpgsql
as $$
declare
  v_seen text[];
begin
  if p_caller is null then
    perform tests.act_as_guest();
  else
    perform tests.act_as(p_caller);
  end if;
  v_seen := array(select coalesce(c.body, 'nothing') from app.comments as c order by c.body nulls first);
  perform set_config('role', 'none', true);
  return v_seen;
end
$$;

select is(pg_temp.seen(null), '{ann,jonas,maya,"reply of jonas"}', 'guests see them');
select is(pg_temp.seen('amara'), '{ann,jonas,maya,"reply of jonas"}', 'and members');
select tests.comment('reply of ann', 'ann', 'trams', 'maya');
select tests.block('maya', 'jonas');
select is(pg_temp.seen('maya'), '{ann,maya,"reply of ann"}', 'who blocks somebody sees nothing by them');
select is(pg_temp.seen('jonas'), '{ann,jonas,"reply of jonas"}', 'as do they, nor what others replied to it; their own they do');
select is(pg_temp.seen('ann'), '{ann,jonas,maya,"reply of ann","reply of jonas"}', 'others see both');
select app.end_user(tests.id('ann'));
select is(pg_temp.seen(null), '{jonas,maya,"reply of jonas"}', 'what an ended account said is hidden');
select is(pg_temp.seen('ann'), '{ann,jonas,maya,"reply of ann","reply of jonas"}', 'from everybody else');
update app.comments set author_id = null, body = null where id = tests.id('maya');
select is(pg_temp.seen('jonas'), '{nothing,jonas,"reply of jonas"}', 'of a deleted one its place is seen by anybody');
select tests.block('lena', 'amara');
select is(pg_temp.seen('amara'), '{}', 'nothing is seen of a hidden post');
select tests.block('lena', 'jonas');
select is(pg_temp.seen('jonas'), '{jonas,"reply of jonas"}', 'but what one said oneself');
select is(pg_temp.seen('maya'), '{nothing}', 'and of a thread what nobody keeps from one');
update app.posts set visibility = 'private_locked_hub' where id = tests.id('trams');
select is(pg_temp.seen(null), '{}', 'of any sort');
select is(pg_temp.seen('lena'), '{nothing}', 'though by its author');

select * from finish();
