select plan(4);

select tests.person('maya');
select tests.person('jonas');
select tests.act_as('maya');

create temporary table checks as
select handle, api.check_handle(jsonb_build_object('username', handle)) as answer from unnest(array['jonas', 'admin', 'admin!', 'Ádmín', 'é']) as handle;
select is_empty(
  $$ select from checks where jsonb_array_length(answer -> 'alternatives') <> 3 $$, 'three, where a handle is taken, reserved or none'
);
select is_empty(
  $$
    select alternative from checks, jsonb_array_elements_text(answer -> 'alternatives') as alternative
    where app.handle_refusal(alternative) is not null
  $$,
  'each of which is available'
);
select is_empty(
  $$
    select alternative from checks, jsonb_array_elements_text(answer -> 'alternatives') as alternative
    where handle = 'jonas' and alternative !~ '^jonas[0-9]{2,5}$'
  $$,
  'like the one that was asked for'
);
select is_empty(
  $$
    select alternative from checks, jsonb_array_elements_text(answer -> 'alternatives') as alternative
    where handle in ('admin', 'admin!', 'Ádmín') and alternative ~ 'admin'
  $$,
  'but for one that would pass for what a reserved name stands for'
);

select * from finish();
