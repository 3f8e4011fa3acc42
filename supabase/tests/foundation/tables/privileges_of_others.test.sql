select plan(6);

select is_empty($$ select tests.table_privileges_of('opine_gateway') $$, 'the gateway''s login reads no table');
select is_empty($$ select tests.table_privileges_of('opine_serializable') $$, 'nor does the serializable one');
select is_empty($$ select tests.table_privileges_of('opine_worker') $$, 'nor does the worker''s');
select is_empty($$ select tests.table_privileges_of('opine_service') $$, 'nor does the role that exchanges proofs');
select is_empty($$ select tests.table_privileges_of('opine_staff') $$, 'nor does a member of staff');
select is_empty($$ select tests.table_privileges_of('service_role') $$, 'nor does the holder of the platform''s secret key');

select * from finish();
