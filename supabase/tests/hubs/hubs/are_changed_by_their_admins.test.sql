select plan(5);

select tests.elm();
select tests.hub('oak', 'lena');

create function pg_temp.rename_all(p_caller text)
returns text[]
language plpgsql
as $$
begin
  perform tests.act_as(p_caller);
  update app.hubs set name = p_caller, description = p_caller, custom_link = p_caller;
  perform set_config('role', 'none', true);
  return array(select h.name from app.hubs as h where h.custom_link = p_caller and h.description = p_caller);
end
$$;

select is(pg_temp.rename_all(caller), '{}', caller || ' changes no Hub') from unnest(array['maya', 'jonas']) as caller;
update app.hubs set name = 'elm' where id = tests.id('elm');
select tests.act_as('amara');
update app.hubs set name = 'Elm street';
reset role;
select bag_eq('select name from app.hubs', array['Elm street', 'oak'], 'an admin changes their own');
select throws_ok($$ select tests.act_as_guest(); update app.hubs set name = 'Mine' $$, '42501', null, 'a guest changes none');
reset role;
select is_empty(
  $$
    select attribute
    from unnest(array['id', 'photo_asset_id', 'search_name', 'member_count', 'last_activity_at', 'closed_at']) as attribute
    where tests.refusal_of('amara', format('update app.hubs set %1$I = default where id = tests.id(''elm'')', attribute)) is distinct from '42501'
  $$,
  'and nobody what is not theirs to say'
);

select * from finish();
