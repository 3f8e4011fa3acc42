select plan(2);

select tests.elm();
select tests.hub(name, 'amara') from unnest(array['ash', 'oak', 'fir', 'yew', 'box', 'fig', 'bay', 'cob']) as name;
select tests.membership(name, 'lena') from unnest(array['elm', 'ash', 'oak']) as name;
select tests.join_request(name, name, 'lena') from unnest(array['fir', 'yew', 'box']) as name;
select tests.invitation(name, name, 'amara', 'lena') from unnest(array['fig', 'bay', 'cob']) as name;
select tests.without_indexes();

create function pg_temp.in_order(variadic p_names text[])
returns uuid[]
language sql
return array(select id from unnest(tests.ids(variadic p_names)) as id order by id desc);

select tests.act_as('lena');
select is(
  tests.listed(api.list_my_hubs('{}')),
  pg_temp.in_order('fig', 'bay', 'cob') || pg_temp.in_order('fir', 'yew', 'box') || pg_temp.in_order('elm', 'ash', 'oak'),
  'what is of one moment is in the order of its ids'
);
select is(tests.listed_in_parts('list_my_hubs', '{}'), tests.listed(api.list_my_hubs('{}')), 'on pages as on one');

select * from finish();
