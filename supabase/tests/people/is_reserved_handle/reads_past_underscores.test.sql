select plan(2);

select is_empty(
  $$
    select from unnest(array['admin', 'ad_min', '_admin_', '__opine__', 'm_e', 'o_p_i_n_e', 'www']) as handle
    where not app.is_reserved_handle(handle)
  $$,
  'a reserved handle is reserved however it is spread'
);
select is_empty(
  $$
    select from unnest(array['maya', 'administer', 'admin1', 'myadmin', 'opine_fan', 'homer', 'ad_minna']) as handle
    where app.is_reserved_handle(handle)
  $$,
  'one that only holds it is not'
);

select * from finish();
