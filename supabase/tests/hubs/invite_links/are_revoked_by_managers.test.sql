select plan(5);

select tests.elm();
select tests.hub('oak', 'lena');

create function pg_temp.left_by(p_caller text)
returns integer
language plpgsql
as $$
begin
  perform tests.link('door', 'elm');
  perform tests.act_as(p_caller);
  delete from app.invite_links;
  perform set_config('role', 'none', true);
  return (select count(*) from app.invite_links);
end
$$;

select tests.link('oak door', 'oak');
select is(pg_temp.left_by('amara'), 1, 'an admin removes links of their Hub');
select is(pg_temp.left_by('maya'), 1, 'a manager too');
select results_eq('select id from app.invite_links', array[tests.id('oak door')], 'and none of another');
select is(pg_temp.left_by('jonas'), 2, 'a member removes none');
delete from app.invite_links;
select is(pg_temp.left_by('lena'), 1, 'nor does an outsider');

select * from finish();
